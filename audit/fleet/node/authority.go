package node

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// validYears is how long certificates are valid.
const validYears = 5

// Init makes a folder of secrets: an authority (ca.pem, ca-key.pem), a certificate for the hosts, localhost
// and loopback (node.pem, node-key.pem), and passwords (worker-password, monitor-password). Hosts are names
// or addresses, as in the URLs of the nodes and in Peers. Init refuses a folder that has one of these
// files.
//
// ca-key.pem makes certificates for later hosts, see Renew. Anyone with this file can impersonate the
// fleet. Keep it away from the machines.
func Init(dir string, hosts []string, now time.Time) error {
	if err := checkHosts(hosts); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("secrets: %w", err)
	}
	for _, name := range []string{caFile, caKeyFile, certFile, keyFile, workerFile, monitorFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("secrets: %s already exists. Use another folder", filepath.Join(dir, name))
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca := certificate("robots-audit fleet", now)
	ca.IsCA, ca.BasicConstraintsValid, ca.MaxPathLenZero = true, true, true
	ca.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	if err := write(dir, caFile, caKeyFile, ca, ca, key, key); err != nil {
		return err
	}
	if err := writeNode(dir, hosts, ca, key, now); err != nil {
		return err
	}
	for _, name := range []string{workerFile, monitorFile} {
		password := make([]byte, 32)
		if _, err := rand.Read(password); err != nil {
			return err
		}
		if err := writeFile(dir, name, []byte(hex.EncodeToString(password)+"\n")); err != nil {
			return err
		}
	}
	return nil
}

// Renew makes a new certificate for the nodes, for other hosts or for a longer time, by the authority in
// the folder. Nodes and workers with the old certificate still accept the new one.
func Renew(dir string, hosts []string, now time.Time) error {
	if err := checkHosts(hosts); err != nil {
		return err
	}
	ca, err := readCertificate(filepath.Join(dir, caFile), now)
	if err != nil {
		return err
	}
	data, err := readSecret(filepath.Join(dir, caKeyFile))
	if err != nil {
		return err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return fmt.Errorf("secrets: %s is not a key in PEM", filepath.Join(dir, caKeyFile))
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return fmt.Errorf("secrets: %s: %w", filepath.Join(dir, caKeyFile), err)
	}
	signer, ok := key.(*ecdsa.PrivateKey)
	if !ok || !signer.PublicKey.Equal(ca.PublicKey) {
		return fmt.Errorf("secrets: %s is not the key of %s", filepath.Join(dir, caKeyFile), filepath.Join(dir, caFile))
	}
	return writeNode(dir, hosts, ca, signer, now)
}

// writeNode makes the certificate of the nodes.
func writeNode(dir string, hosts []string, ca *x509.Certificate, signer *ecdsa.PrivateKey, now time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	c := certificate("robots-audit node", now)
	if c.NotAfter.After(ca.NotAfter) {
		c.NotAfter = ca.NotAfter
	}
	c.KeyUsage = x509.KeyUsageDigitalSignature
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, host := range slices.Concat(hosts, []string{"localhost", "127.0.0.1", "::1"}) {
		if ip := net.ParseIP(host); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, host)
		}
	}
	return write(dir, certFile, keyFile, c, ca, key, signer)
}

// certificate has the fields that all certificates share. The clocks of machines may differ by an hour.
func certificate(name string, now time.Time) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(validYears, 0, 0),
	}
}

// write signs a certificate, and writes it with its key.
func write(dir, certName, keyName string, c, parent *x509.Certificate, key *ecdsa.PrivateKey, signer crypto.Signer) error {
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), signer)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		writeFile(dir, keyName, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		writeFile(dir, certName, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
}

// writeFile writes a file whole or not at all. Only its owner may read it.
func writeFile(dir, name string, data []byte) error {
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file+".part", data, 0o600); err != nil {
		return fmt.Errorf("secrets: %w", err)
	}
	return os.Rename(file+".part", file)
}

var hostPattern = regexp.MustCompile(`^[A-Za-z0-9*]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)

// checkHosts checks that hosts are names or addresses without a port.
func checkHosts(hosts []string) error {
	if len(hosts) == 0 {
		return errors.New("secrets: name the hosts where nodes run")
	}
	for _, host := range hosts {
		if net.ParseIP(host) == nil && !hostPattern.MatchString(host) {
			return fmt.Errorf("secrets: %q is not a host. Write a name or an address, without scheme and port", host)
		}
	}
	return nil
}
