package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

func asks(t *testing.T, questions ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if code := checkJSONL(cli.Streams{In: strings.NewReader(strings.Join(questions, "\n")), Out: &out, Err: &out}); code != cli.ExitDone {
		t.Fatalf("exit code %d", code)
	}
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions:\n%s", len(answers), len(questions), &out)
	}
	for i, a := range answers {
		if !json.Valid([]byte(a)) {
			t.Errorf("%s\nis answered\n%s", questions[i], a)
		}
	}
	return answers
}

// TestUnreadableQuestions: an error or gap in a question is reported, and the question is not
// answered with another meaning. Valid questions stay valid.
func TestUnreadableQuestions(t *testing.T) {
	const ask = `"crawler":"Googlebot","urls":["/a"]`
	const allow, disallow = `"verdict":"allow"`, `"verdict":"disallow"`
	cases := [][2]string{ // question, and text in the answer
		{`{"id":1,"robots":"","profil":"yandex",` + ask + `}`, `{"id":1,"error":"not a question: unknown key \"profil\": did you mean \"profile\"?"}`},
		{`{"id":1,"robots":"","Profile":"yandex",` + ask + `}`, `unknown key \"Profile\": did you mean \"profile\"?`},
		{`{"id":1,"robots":"","\u0070rofil":"yandex",` + ask + `}`, `unknown key \"profil\"`},
		{`{"id":1,"robots":"","url":"/b",` + ask + `}`, `unknown key \"url\": did you mean \"urls\"?`},
		{`{"id":1,"robots":"","x":{"y":["]}"]},` + ask + `}`, `unknown key \"x\"`},
		{`{"id":1,"fetch":{"state":503},` + ask + `}`, `unknown key \"fetch.state\"`},
		{`{"id":1,"fetch":{"status":503,"hop":1},` + ask + `}`, `unknown key \"fetch.hop\": did you mean \"fetch.hops\"?`},
		{`{"id":1,"robots":"","robots":"User-agent: *\nDisallow: /",` + ask + `}`, `the key \"robots\" occurs twice`},
		{`{"id":1,"fetch":{"status":200,"status":503},` + ask + `}`, `the key \"fetch.status\" occurs twice`},
		{`{"id":1,"robots":"","urls":[],` + ask + `}`, `the key \"urls\" occurs twice`},

		{`{"id":1,` + ask + `}`, `"error":"a question needs \"robots\" or \"robots_b64\"`},
		{`{"id":1,"robots":null,` + ask + `}`, `a question needs \"robots\"`},
		{`{"id":1,"robots":null,"robots_b64":null,` + ask + `}`, `a question needs \"robots\"`},
		{`{"id":1,"fetch":{},` + ask + `}`, `a question needs \"robots\"`},
		{`{"id":1,"fetch":{"status":206},` + ask + `}`, `a question needs \"robots\"`},
		{`{"id":1,"fetch":{"hops":2},` + ask + `}`, `a question needs \"robots\"`},
		{`{"id":1,"fetch":{"status":200,"error":"body_too_large"},` + ask + `}`, `a question needs \"robots\"`},
		{`{"id":1,"robots":"","robots_b64":"",` + ask + `}`, `\"robots\" and \"robots_b64\" exclude each other. Remove one of them`},
		{`{"id":1,"robots":"","token":"MyBot",` + ask + `}`, `\"crawler\" and \"token\" exclude each other. Remove one of them`},
		{`{"id":1,"robots":"","urls_b64":["L2E="],` + ask + `}`, `\"urls\" and \"urls_b64\" exclude each other. Remove one of them`},

		{`{"id":1,"robots":"","crawler":"Googelbot","urls":["/"]}`, `unknown crawler \"Googelbot\": did you mean Googlebot?`},
		{`{"id":1,"robots":"","crawler":"MyBot","urls":["/"]}`, `write token:MyBot`},
		{`{"id":1,"robots":"","crawler":"Googlebot","profile":"google2019","urls":["/"]}`, `unknown profile \"google2019\": did you mean google-2019?`},

		{`{"id":1,"fetch":{"status":-1},` + ask + `}`, `fetch.status is -1`},
		{`{"id":1,"fetch":{"status":5030},` + ask + `}`, `fetch.status is 5030`},
		{`{"id":1,"robots":"","fetch":{"hops":-1},` + ask + `}`, `fetch.hops is -1`},
		{`{"id":1,"fetch":{"status":503,"unreachable_hours":-0.5},` + ask + `}`, `fetch.unreachable_hours is -0.5`},
		{`{"id":1,"robots":"","crawler":"Googlebot","urls":"/a"}`, `\"urls\" has the wrong type string`},
		{`{"id":1,"robots":"","crawler":"Googlebot","urls":["/a",null]}`, `\"urls\" has the wrong type null`},
		{`{"id":1,"robots":"","crawler":"Googlebot","urls_b64":[1]}`, `\"urls_b64\" has the wrong type number`},
		{`null`, `"error":"a question needs a crawler or a token"`},

		{"{\"id\":1,\"robots\":\"User-agent: *\\nDisallow: /\xe9\",\"crawler\":\"Googlebot\",\"urls\":[\"/\"]}", `{"id":1,"error":"not a question: byte 45 of the line, 0xE9, is not UTF-8.`},
		{"{\"id\":1,\"robots\":\"\",\"crawler\":\"Googlebot\",\"urls\":[\"/\xff\"]}", `0xFF, is not UTF-8`},
		{`{"id":1,"robots":"","crawler":"Googlebot","urls":["/\ud800"]}`, `\\ud800 at byte 53 of the line is half a character`},
		{`{"id":1,"robots":"","crawler":"Googlebot","urls":["/\uDC00\ud800"]}`, `\\uDC00 at byte 53`},
		{`{"id":1,"robots":"","crawler":"Googlebot","urls":["/\ud83d\ud83d\udca9"]}`, `\\ud83d at byte 53`},
		{`{"id":1,"robots":"\n\\\ud800","crawler":"Googlebot","urls":["/"]}`, `\\ud800 at byte 23`},

		// Valid questions.
		{`{"robots":"",` + ask + `}`, allow},
		{`{"robots_b64":"",` + ask + `}`, allow},
		{`{"robots":null,"robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogLwo=",` + ask + `}`, disallow},
		{`{"robots":"User-agent: *\nDisallow: /","token":null,"profile":"","fetch":null,"explain":null,"urls_b64":null,` + ask + `}`, disallow},
		{`{"fetch":{"status":404},` + ask + `}`, `"access":"allow_all"`},
		{`{"fetch":{"status":200,"hops":9},"profile":"google",` + ask + `}`, allow},
		{`{"fetch":{"status":301,"error":"redirect_loop"},` + ask + `}`, `"access":"allow_all"`},
		{`{"fetch":{"error":"timeout"},` + ask + `}`, `"access":"disallow_all"`},
		{`{"fetch":{"status":503,"unreachable_hours":20,"cached":"User-agent: *\nDisallow: /"},` + ask + `}`, disallow},
		{`{"fetch":{"status":0},` + ask + `}`, `"access":"disallow_all"`},
		{`{"robots":"","crawler":"Googlebot"}`, `"verdicts":[]`},
		{`{"robots":"User-agent: MyBot\nDisallow: /","crawler":"token:MyBot","urls":["/"]}`, disallow},
		{`{"robots":"User-agent: MyBot\nDisallow: /","token":"MyBot","urls":["/"]}`, disallow},
		{`{"robots":"User-agent: *\nDisallow: /\ud83d\udca9\\ud800","crawler":"Googlebot","urls":["/\ud83d\uDCA9\\ud800"]}`, disallow},
		{`{"robots":"","id":{"robots":1,"x":["}",{"x":2}]},"crawler":"Googlebot","urls":[]}`, `{"id":{"robots":1,"x":["}",{"x":2}]},"access"`},
		{`{"robots":"", "\u0069d" : "\"" , "crawler":"Googlebot" , "urls" : [ "/\\" , "/\"]}" ] } `, `"url":"/\"]}"`},
	}
	var questions []string
	for _, c := range cases {
		questions = append(questions, c[0])
	}
	for i, answer := range asks(t, questions...) {
		if !strings.Contains(answer, cases[i][1]) {
			t.Errorf("%s\nis answered\n%s\nwant\n%s", cases[i][0], answer, cases[i][1])
		}
	}
}

// TestURLsThatCannotBeJudged: invalid URLs have an error, and the others their verdicts.
func TestURLsThatCannotBeJudged(t *testing.T) {
	const robots = `{"robots":"User-agent: *\nDisallow: /\nClean-param: s\n",`
	answers := asks(t,
		robots+`"crawler":"Bingbot","urls":["not a url","/a","","example.com/a","mailto:a@b.example","https:///a","https://example.com"]}`,
		robots+`"crawler":"Bingbot","profile":"google-oss","urls":["not a url","","example.com/a"]}`,
		robots+`"crawler":"YandexBot","urls":["www.example.com/?s=1"]}`,
		// "/é" as Latin-1, no base64, no URL, and a Clean-param
		`{"robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL+kkCkNsZWFuLXBhcmFtOiBzCg==","crawler":"YandexBot","urls_b64":["L+k=","L8Op","!","aHR0cA==","L+k/cz0x"]}`,
	)
	for i, want := range []string{
		"error disallow error error error error disallow",
		"disallow disallow disallow",
		"error",
		"disallow allow error error allow",
	} {
		var a struct {
			Verdicts []struct {
				URL, Verdict, Error string
				URLB64              *string `json:"url_b64"`
			}
			Clean map[string]string `json:"clean_param"`
		}
		if err := json.Unmarshal([]byte(answers[i]), &a); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range a.Verdicts {
			if (v.Error == "") == (v.Verdict == "") || (i == 3) != (v.URLB64 != nil) {
				t.Errorf("%+v", v)
			}
			if v.Error != "" {
				v.Verdict = "error"
			}
			got = append(got, v.Verdict)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s\n%s", i, got, want, answers[i])
		}
		if clean := fmt.Sprint(a.Clean); i == 3 && clean != "map[L+k/cz0x:L+k=]" || i == 2 && clean != "map[www.example.com/?s=1:www.example.com/]" {
			t.Errorf("%d: %s", i, clean)
		}
	}
	if !strings.Contains(answers[0], `{"url":"not a url","error":"it is neither an absolute URL nor a path that begins with \"/\""},{"url":"/a","verdict":"disallow","line":2,`) {
		t.Error(answers[0])
	}
	if !strings.Contains(answers[3], `{"url_b64":"L+k=","verdict":"disallow","line":2,`) || !strings.Contains(answers[3], `{"url_b64":"!","error":"it is not base64"`) {
		t.Error(answers[3])
	}
}
