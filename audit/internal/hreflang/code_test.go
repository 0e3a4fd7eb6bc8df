package hreflang

import "testing"

func TestFault(t *testing.T) {
	for code, want := range map[string]string{
		"de": "", "DE": "", "uk": "", "en-GB": "", "en-gb": "", "EN-us": "", "zh-Hant": "", "zh-Hans-US": "", "zh-hant-tw": "", "x-default": "", "X-Default": "",
		"no": "", "iw": "", "sr-Latn": "", "be": "", "pt-BR": "", "sq-XK": "",

		"":             "empty",
		"en_US":        "write en-US",
		"zh_Hant_TW":   "write zh-Hant-TW",
		"x_default":    "write x-default",
		"en-UK":        "write en-GB",
		"en-uk":        "write en-GB",
		"en_UK":        "write en-GB",
		"US":           `"US" is not a language of ISO 639-1`,
		"jp":           `"jp" is not a language of ISO 639-1`,
		"eng":          `"eng" is not a language of ISO 639-1`,
		"fil":          `"fil" is not a language of ISO 639-1`,
		"english":      `"english" is not a language of ISO 639-1`,
		"e":            `"e" is not a language of ISO 639-1`,
		"-US":          `"" is not a language of ISO 639-1`,
		"default":      `"default" is not a language of ISO 639-1`,
		"de de":        `"de de" is not a language of ISO 639-1`,
		"en-":          `"" is not a country of ISO 3166-1`,
		"en-EU":        `"EU" is not a country of ISO 3166-1`,
		"en-UN":        `"UN" is not a country of ISO 3166-1`,
		"es-419":       `"419" is not a country of ISO 3166-1`,
		"en-USA":       `"USA" is not a country of ISO 3166-1`,
		"en-XX":        `"XX" is not a country of ISO 3166-1`,
		"en-int":       `"int" is not a country of ISO 3166-1`,
		"zh-Hanx":      `"Hanx" is not a script of ISO 15924`,
		"zh-TW-Hant":   "only a language, a script and a country are allowed",
		"de-DE-1996":   "only a language, a script and a country are allowed",
		"de-DE,at":     `"DE,at" is not a country of ISO 3166-1`,
		"x-default-en": `"x" is not a language of ISO 639-1`,
	} {
		if got := Fault(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}
