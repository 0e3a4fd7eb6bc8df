package xlsx

import "testing"

func TestLean(t *testing.T) {
	const x14 = ` xmlns:mc="m" mc:Ignorable="x14 xr" xmlns:x14="a" xmlns:xr="b"`
	for in, want := range map[string]string{
		`<a></a>`: `<a/>`,
		"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<a>b</a>": `<a>b</a>`,
		`<a b="1" c:d="/"></a><e/><f>g</f><h> </h>`:                               `<a b="1" c:d="/"/><e/><f>g</f><h> </h>`,
		`<a><b></b></a><c><d/></c>`:                                               `<a><b/></a><c><d/></c>`,
		`<s` + x14 + ` xr:uid="{0}"><x/></s>`:                                     `<s><x/></s>`,
		`<s` + x14 + `><x14:x/></s>`:                                              `<s xmlns:mc="m" mc:Ignorable="x14 xr" xmlns:x14="a"><x14:x/></s>`,
		`<a b="&#39;&#34;">&#34;c&#39;d&#34;</a>`:                                 `<a b="'&#34;">"c'd"</a>`,
		`<a b="true" c="false">d="true"</a>`:                                      `<a b="1" c="0">d="true"</a>`,
		`<s xmlns="u" xmlns:r="v"><x r:id="1"/></s>`:                              `<s xmlns="u" xmlns:r="v"><x r:id="1"/></s>`,
		`<title/><view3D><rotX val="0"/></view3D><floor/><sideWall/><backWall><thickness val="0"/></backWall><plotArea><barChart/></plotArea></chart>`: `<title/><plotArea><barChart/></plotArea></chart>`,
	} {
		if got := compact(in); got != want {
			t.Errorf("%s\nbecomes %s\n   want %s", in, got, want)
		}
	}
}
