# A mail server for tests: aiosmtpd with STARTTLS and a login, both required. It prints its
# port, and then, for each mail, a line of JSON: what Python's email package reads of it.
#
#   mailserver.py CERTIFICATE KEY USER PASSWORD
import asyncio
import base64
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

certificate, key, user, password = sys.argv[1:]


def say(value):
    print(json.dumps(value), flush=True)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = []
        for part in mail.walk():
            body = None if part.is_multipart() else part.get_payload(decode=True)
            parts.append({
                "type": part.get_content_type(),
                "charset": part.get_content_charset(),
                "encoding": part.get("Content-Transfer-Encoding", ""),
                "disposition": part.get_content_disposition(),
                "name": part.get_filename(),
                "body": None if body is None else base64.b64encode(body).decode(),
                "defects": [repr(d) for d in part.defects],
            })
        say({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None, "user": session.auth_data and session.auth_data.login.decode(),
            "headers": {name.lower(): str(value) for name, value in mail.items()},
            "header_defects": [repr(d) for value in mail.values() for d in value.defects],
            "longest_line": max(len(line) for line in envelope.content.split(b"\r\n")),
            "ascii": envelope.content.isascii(), "bare_newlines": envelope.content.replace(b"\r\n", b"").count(b"\n"),
            "parts": parts, "source": envelope.content.decode("utf-8"),
        })
        return "250 2.0.0 accepted"


def authenticate(server, session, envelope, mechanism, data):
    good = data.login == user.encode() and data.password == password.encode()
    return AuthResult(success=good, handled=False, auth_data=data)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(Handler(), hostname="mail.test", tls_context=context, require_starttls=True, auth_required=True, authenticator=authenticate),
        "127.0.0.1", 0)
    say(server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()


asyncio.run(main())
