package sitemap

import "strings"

// scannerCases are files and the results of a scanner. Format is "urlset" by
// default; "none" is none.
var scannerCases = []struct {
	name   string
	file   string
	urls   []string
	notes  string // codes in order
	format string
	broken bool
}{
	// The protocol (sitemaps.org).
	{name: "one entry", file: urlset(`<url><loc>http://a.test/</loc><lastmod>2026-01-02</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url>`),
		urls: []string{"loc http://a.test/ 2026-01-02"}},
	{name: "lastmod before loc", file: urlset(`<url><lastmod>2026-01-02</lastmod><loc>http://a.test/</loc></url>`),
		urls: []string{"loc http://a.test/ 2026-01-02"}},
	{name: "lastmod is of its own entry", file: urlset(`<url><loc>http://a.test/1</loc><lastmod>2026-01-02</lastmod></url><url><loc>http://a.test/2</loc></url>`),
		urls: []string{"loc http://a.test/1 2026-01-02", "loc http://a.test/2"}},
	{name: "index", file: `<?xml version="1.0"?><sitemapindex ` + ns + `><sitemap><loc>http://a.test/1.xml</loc><lastmod>2026-01-02</lastmod></sitemap><sitemap><loc>http://a.test/2.xml</loc></sitemap></sitemapindex>`,
		urls: []string{"sitemap http://a.test/1.xml 2026-01-02", "sitemap http://a.test/2.xml"}, format: "index"},
	{name: "white space around everything", file: "<urlset " + ns + ">\r\n\t<url >\n <loc\n>\r\n http://a.test/ \t</loc\n ></url\t>\n</urlset>\n",
		urls: []string{"loc http://a.test/"}},
	{name: "no entries", file: `<urlset ` + ns + `/>`},
	{name: "empty loc", file: urlset(`<url><loc/></url><url><loc> </loc></url><url><loc></loc></url>`), notes: "empty_loc"},

	// Extensions: image, video, news, hreflang (Google), order of elements.
	{name: "image:loc is no loc", file: `<urlset ` + ns + ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><image:image><image:loc>http://a.test/i.png</image:loc></image:image><loc>http://a.test/</loc></url></urlset>`,
		urls: []string{"image http://a.test/i.png", "loc http://a.test/"}},
	{name: "image:loc outside of image:image", file: urlset(`<url><loc>http://a.test/</loc><image:loc>http://a.test/i.png</image:loc></url>`),
		urls: []string{"loc http://a.test/", "image http://a.test/i.png"}, notes: "not_well_formed"},
	{name: "image by another prefix", file: `<urlset ` + ns + ` xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>http://a.test/</loc><i:loc>http://a.test/1.png</i:loc><i:image><i:loc>http://a.test/2.png</i:loc></i:image></url></urlset>`,
		urls: []string{"loc http://a.test/", "image http://a.test/1.png", "image http://a.test/2.png"}},
	{name: "video", file: urlset(`<url><loc>http://a.test/</loc><video:video><video:thumbnail_loc>http://a.test/t.png</video:thumbnail_loc><video:title>T</video:title><video:content_loc>http://a.test/v.mp4</video:content_loc><video:player_loc allow_embed="yes">http://a.test/p?v=1&amp;w=2</video:player_loc></video:video></url>`),
		urls: []string{"loc http://a.test/", "image http://a.test/t.png", "video http://a.test/v.mp4", "video http://a.test/p?v=1&w=2"}, notes: "incomplete_video not_well_formed"},
	{name: "news", file: urlset(`<url><loc>http://a.test/n</loc><news:news><news:publication><news:name>N</news:name></news:publication><news:publication_date>2026-01-02</news:publication_date></news:news></url>`),
		urls: []string{"loc http://a.test/n"}, notes: "incomplete_news not_well_formed old_news"},
	{name: "hreflang, and lastmod after it", file: urlset(`<url><loc>http://a.test/de</loc><xhtml:link rel="alternate" hreflang="en" href="http://a.test/en?x=1&amp;y=2"/><xhtml:link hreflang='fr' href = 'http://a.test/fr' rel = 'Alternate nofollow' ></xhtml:link><xhtml:link rel="canonical" href="http://a.test/c"/><xhtml:link href="http://a.test/d"/><lastmod>2026-01-02</lastmod></url>`),
		urls: []string{"loc http://a.test/de 2026-01-02", "hreflang http://a.test/en?x=1&y=2", "hreflang http://a.test/fr"}, notes: "incomplete_link not_well_formed"},

	{name: "links for small screens and to apps", file: urlset(`<url><loc>http://a.test/</loc><link rel="alternate" media="(max-width: 640px)" href="http://m.a.test/"/><link rel="alternate" href="android-app://a.test/http/a.test/"/><link rel="canonical" href="http://a.test/c"/><link rel="amphtml" href="http://a.test/amp"/><link>http://a.test/text</link><link a="b"/></url>`),
		urls: []string{"loc http://a.test/", "hreflang http://m.a.test/"}},
	{name: "an entry with only a link without href", file: urlset(`<url><link rel="alternate" hreflang="de"/></url>`), notes: "incomplete_link missing_loc"},
	{name: "video, all of it", file: urlset(`<url><loc>http://a.test/</loc><video><thumbnail_loc>http://a.test/t.png</thumbnail_loc><title>T</title><description><![CDATA[D]]></description><content_loc>http://a.test/v.mp4</content_loc><content_segment_loc duration="9">http://a.test/v1.mp4</content_segment_loc><gallery_loc title="G">http://a.test/g</gallery_loc></video></url>`),
		urls: []string{"loc http://a.test/", "image http://a.test/t.png", "video http://a.test/v.mp4", "video http://a.test/v1.mp4", "video http://a.test/g"}},
	{name: "video, half of it", file: urlset(`<url><loc>http://a.test/</loc><video><title>T</title><description> </description><player_loc/></video><video><content_segment_loc>http://a.test/v1.mp4</content_segment_loc></video></url>`),
		urls: []string{"loc http://a.test/", "video http://a.test/v1.mp4"}, notes: "empty_loc incomplete_video"},
	{name: "news, all of it", file: urlset(`<url><loc>http://a.test/n</loc><news><publication><name>N</name><language>en</language></publication><publication_date>2026-03-02</publication_date><title>T</title></news></url>`),
		urls: []string{"loc http://a.test/n"}},
	{name: "news of 60 hours ago", file: urlset(newsOf("2026-03-01T00:00Z", "2026-03-01T02:00:00+02:00", "2026-02-28T19:00:00.5-05:00", "2026-02-28", "2026-03-04T12:00:00Z")), urls: times(5, "loc http://a.test/n")},
	{name: "old news", file: urlset(newsOf("2026-02-28T23:59Z", "2026-03-01T01:59:00+02:00", "2026-02-28T18:59:00.5-05:00", "2026-02-27")), urls: times(4, "loc http://a.test/n"), notes: "old_news"},
	{name: "news of another time", file: urlset(newsOf("2026-03-05T00:00:00Z", "2026-03", "2026-03-02T10:00:00")), urls: times(3, "loc http://a.test/n"), notes: "future_news_date invalid_news_date"},
	{name: "news in a language", file: urlset(strings.ReplaceAll(newsOf("2026-03-03"), ">en<", ">english<")), urls: times(1, "loc http://a.test/n"), notes: "news_language"},
	{name: "dates of other publications", file: `<rss><item><link>http://a.test/1</link><news><publication><language>english</language></publication><publication_date>1. 1. 26</publication_date><title>T</title></news></item></rss>`, format: "rss",
		urls: []string{"loc http://a.test/1"}},
	{name: "images", file: urlset(`<url><loc>http://a.test/</loc><image><loc>http://a.test/i.png</loc></image><image><title>T</title></image></url>`),
		urls: []string{"loc http://a.test/", "image http://a.test/i.png"}, notes: "incomplete_image"},

	// URLs in unusual places.
	{name: "entries without a loc", file: urlset(`<url><lastmod>2026-01-02</lastmod></url><url/><url><loc/></url><url><loc>http://a.test/</loc></url>`),
		urls: []string{"loc http://a.test/"}, notes: "empty_loc missing_loc"},
	{name: "two locs in an entry", file: urlset(`<url><loc>http://a.test/1</loc><loc>http://a.test/2</loc><image><loc>http://a.test/i</loc></image><image><loc>http://a.test/j</loc></image></url>`),
		urls: []string{"loc http://a.test/1", "loc http://a.test/2", "image http://a.test/i", "image http://a.test/j"}, notes: "several_locs"},
	{name: "location", file: urlset(`<url><location>http://a.test/1</location><lastmod>2026-01-02</lastmod></url><url><LOC>http://a.test/2</LOC></url><url><location>http://a.test/no</location><loc>http://a.test/3</loc></url><url><uri>4</uri></url>`),
		urls: []string{"loc http://a.test/1 2026-01-02", "loc http://a.test/2", "loc http://a.test/3"}, notes: "misplaced_loc missing_loc"},
	{name: "sitemaps without a loc", file: `<sitemapindex ` + ns + `><sitemap>http://a.test/1.xml</sitemap><sitemap>` + "\n" + `<![CDATA[ http://a.test/2.xml ]]><lastmod>2026-01-02</lastmod></sitemap><sitemap>3.xml</sitemap><sitemap><loc>http://a.test/4.xml</loc>http://a.test/no.xml</sitemap></sitemapindex>`,
		urls: []string{"sitemap http://a.test/1.xml", "sitemap http://a.test/2.xml 2026-01-02", "sitemap http://a.test/4.xml"}, notes: "misplaced_loc missing_loc", format: "index"},
	{name: "many that may be meant", file: urlset(`<url>` + strings.Repeat(`<location>http://a.test/1</location>`, 2000) + strings.Repeat(`<image><loc>http://a.test/i</loc></image>`, 1023) + `http://a.test/2<loc >` + pad("http://a.test/", 4000) + `</loc></url>`),
		urls: append(times(1023, "image http://a.test/i"), "loc "+pad("http://a.test/", 4000)), notes: "too_many_images"},
	{name: "a url in a loc", file: urlset(`<url><loc><url>http://a.test/1</url></loc></url><url><loc> <url> http://a.test/2 </url> </loc><lastmod>2026-01-02</lastmod></url>`),
		urls: []string{"loc http://a.test/1", "loc http://a.test/2 2026-01-02"}, notes: "misplaced_loc"},
	{name: "invisible space around a loc", file: urlset("<url><loc>\u00a0http://a.test/1\u200b</loc></url><url><loc> \ufeff http://a.test/\u00a02\u2003 </loc></url><url><loc>\u00a0</loc></url>"),
		urls: []string{"loc http://a.test/1", "loc http://a.test/\u00a02"}, notes: "empty_loc invisible_space"},
	{name: "dates", file: urlset(`<url><loc>http://a.test/1</loc><lastmod>2026</lastmod></url><url><loc>http://a.test/2</loc><lastmod>2026-02-28T23:59:59.123+05:30</lastmod></url><url><loc>http://a.test/3</loc></url>`),
		urls: []string{"loc http://a.test/1 2026", "loc http://a.test/2 2026-02-28T23:59:59.123+05:30", "loc http://a.test/3"}},
	{name: "empty dates", file: urlset(`<url><loc>http://a.test/1</loc><lastmod/></url><url><lastmod> </lastmod><loc>http://a.test/2</loc></url>`),
		urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "invalid_lastmod"},
	{name: "dates of feeds", file: `<rss><item><link>http://a.test/1</link><pubDate/></item></rss>`, urls: []string{"loc http://a.test/1"}, format: "rss"},
	{name: "changefreq and priority", file: `<urlset ` + ns + ` xmlns:x="http://x.test/">` + hints("changefreq", "always", "hourly", "daily", "weekly", "monthly", "yearly", " never\n", "<![CDATA[daily]]>", "d&#97;ily") + hints("priority", "0.0", "0.5", "1.0", "0", "1", ".5", "1.", "+0.25", "-0.0", "1.00", " 0.800000\n") +
		`<url><loc>http://a.test/h</loc><x:priority>high</x:priority><x:y><priority>high</priority></x:y></url></urlset>`, urls: times(21, "loc http://a.test/h")},
	{name: "changefreq with the prefix of the protocol", file: `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>http://a.test/</s:loc><s:changefreq>never ever</s:changefreq></s:url></s:urlset>`, urls: []string{"loc http://a.test/"}, notes: "invalid_changefreq"},
	{name: "a priority in the text of an entry", file: urlset(`<url>http://a.test/1<priority>0.5</priority></url><url>http://a.test/2<priority>2</priority></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "invalid_priority misplaced_loc"},
	{name: "no dates", file: urlset(`<url><loc>http://a.test/1</loc><lastmod>2026-02-29</lastmod></url><url><loc>http://a.test/2</loc><lastmod>yesterday</lastmod></url>`),
		urls: []string{"loc http://a.test/1 2026-02-29", "loc http://a.test/2 yesterday"}, notes: "invalid_lastmod"},

	// Feeds.
	{name: "items with a guid alone", file: `<rss version="2.0"><channel><item><guid>http://a.test/1</guid><pubDate>Tue, 10 Nov 2026 04:00:00 GMT</pubDate></item><item><guid isPermaLink="true">http://a.test/2</guid></item><item><guid isPermaLink='false'>http://a.test/no</guid></item><item><guid>4711</guid></item><item><guid>http://a.test/no</guid><link>http://a.test/3</link></item></channel></rss>`,
		urls: []string{"loc http://a.test/1 Tue, 10 Nov 2026 04:00:00 GMT", "loc http://a.test/2", "loc http://a.test/3"}, notes: "missing_loc", format: "rss"},
	{name: "RSS 2.0", file: `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title><link>http://a.test/</link><atom:link rel="self" href="http://a.test/rss"/><image><url>http://a.test/logo.png</url><link>http://a.test/</link></image><item><title>x</title><link>http://a.test/1</link><image><url>http://a.test/x.png</url></image><pubDate>Tue, 10 Nov 2026 04:00:00 GMT</pubDate></item><item><atom:link rel="self" href="http://a.test/no"/><link><![CDATA[http://a.test/2?a&b]]></link><atom:link rel="self" href="http://a.test/no"></atom:link><guid>http://a.test/g</guid></item></channel></rss>`,
		urls: []string{"loc http://a.test/1 Tue, 10 Nov 2026 04:00:00 GMT", "loc http://a.test/2?a&b"}, format: "rss"},
	{name: "RSS 1.0", file: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="http://a.test/rss"><link>http://a.test/</link></channel><item rdf:about="http://a.test/1"><link>http://a.test/1</link><dc:date>2026-01-02</dc:date></item></rdf:RDF>`,
		urls: []string{"loc http://a.test/1 2026-01-02"}, format: "rss", notes: "not_well_formed unsupported_format"},
	{name: "Atom", file: `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="http://a.test/feed"/><link href="http://a.test/"/><entry><link href="http://a.test/1"/><link rel="enclosure" href="http://a.test/1.mp3"/><updated>2026-01-02T00:00:00Z</updated></entry><entry><updated>2026-01-03</updated><link rel="alternate" type="text/html" href="http://a.test/2"/></entry></feed>`,
		urls: []string{"loc http://a.test/1 2026-01-02T00:00:00Z", "loc http://a.test/2 2026-01-03"}, format: "atom"},
	{name: "Atom 0.3", file: `<atom:feed xmlns:atom="http://purl.org/atom/ns#" version="0.3"><atom:entry><atom:link rel="alternate" href="http://a.test/1"/><atom:modified>2026-01-02</atom:modified></atom:entry></atom:feed>`, urls: []string{"loc http://a.test/1 2026-01-02"}, format: "atom"},
	{name: "RSS 0.91", file: `<rss version="0.91"><channel><item><link>http://a.test/1</link></item></channel></rss>`, urls: []string{"loc http://a.test/1"}, format: "rss"},
	{name: "a feed of another namespace", file: `<feed xmlns="http://a.test/feed"><entry><link href="http://a.test/1"/></entry></feed>`, urls: []string{"loc http://a.test/1"}, format: "atom", notes: "unsupported_format"},
	{name: "a feed without a namespace", file: `<feed xmlns:x="http://www.w3.org/2005/Atom"><entry><link href="http://a.test/1"/></entry></feed>`, urls: []string{"loc http://a.test/1"}, format: "atom", notes: "unsupported_format"},
	{name: "text", file: "\ufeffhttp://a.test/1\r\n\r\n  http://a.test/2  \n# note\nHTTPS://a.test/3&x=&amp;\rnot a url\nhttp://a.test/4",
		urls: []string{"loc http://a.test/1", "loc http://a.test/2", "loc HTTPS://a.test/3&x=&amp;", "loc not a url", "loc http://a.test/4"}, notes: "comment_line space_in_loc", format: "text"},

	// Names: prefixes and namespaces.
	{name: "prefixes", file: `<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>http://a.test/</sm:loc><sm:lastmod>2026-01-02</sm:lastmod></sm:url></sm:urlset>`,
		urls: []string{"loc http://a.test/ 2026-01-02"}},
	{name: "no namespace", file: `<urlset><url><loc>http://a.test/</loc></url></urlset>`, urls: []string{"loc http://a.test/"}, notes: "namespace"},
	{name: "legacy namespace", file: `<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>http://a.test/</loc></url></urlset>`, urls: []string{"loc http://a.test/"}, notes: "namespace"},
	{name: "no root", file: `<url><loc>http://a.test/</loc></url>`, urls: []string{"loc http://a.test/"}},
	{name: "sitemaps in a urlset", file: urlset(`<url><loc>http://a.test/</loc></url><sitemap><loc>http://a.test/2.xml</loc></sitemap>`), urls: []string{"loc http://a.test/", "sitemap http://a.test/2.xml"}, notes: "mixed_content"},

	// XML: attributes, CDATA, comments, instructions, document types, references.
	{name: "'>' in an attribute", file: urlset(`<url a="1>0" b='>"'><loc x=">">http://a.test/</loc></url>`), urls: []string{"loc http://a.test/"}},
	{name: "CDATA", file: urlset(`<url><loc><![CDATA[ http://a.test/?a=1&b=2&amp;<x>]]]]><![CDATA[> ]]></loc></url>`), urls: []string{"loc http://a.test/?a=1&b=2&amp;<x>]]>"}},
	{name: "comments", file: `<!-- <url><loc>http://no.test/</loc></url> --><!----><urlset ` + ns + `><!-- > -- > --><url><loc>http://a.<!-- x -->test/<![CDATA[1]]>2</loc><!-- <loc>no</loc> --></url></urlset><!-- end`,
		urls: []string{"loc http://a.test/12"}, broken: true, notes: "not_well_formed"},
	{name: "line ends", file: urlset("<url><loc>http://a.test/a\r\nb\rc<!-- -->\nd\r<!-- -->\ne&#13;<![CDATA[\n\r\n\r]]>f</loc></url>"), urls: []string{"loc http://a.test/a\nb\nc\nd\n\ne\r\n\n\nf"}, notes: "space_in_loc"},
	{name: "instructions", file: `<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet href="a>b.xsl"?>` + urlset(`<url><?php <loc>no</loc> ?><loc>http://a.test/</loc></url>`), urls: []string{"loc http://a.test/"}},
	{name: "entities that a document type declares", file: `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa>"><!-- ' " > ]> --><!ENTITY b "&a;&a;"><!ENTITY e SYSTEM 'file:///etc/passwd'>]>` + urlset(`<url><loc>http://a.test/&b;&e;</loc></url>`),
		urls: []string{"loc http://a.test/&b;&e;"}, notes: "declared_entity"},
	{name: "entities that a document type declares, and does not", file: `<!-- --><?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY b "x">]>` + urlset(`<url><loc>http://a.test/&b;</loc></url><url><loc>http://a.test/&c;</loc></url>`),
		urls: []string{"loc http://a.test/&b;", "loc http://a.test/&c;"}, notes: "declared_entity not_well_formed undefined_entity"},
	{name: "references", file: urlset(`<url><loc>http://a.test/?a=1&amp;b=&lt;&gt;&quot;&apos;&#99;&#x44;&#x20AC;</loc></url>`), urls: []string{"loc http://a.test/?a=1&b=<>\"'cD€"}},
	{name: "references to nothing", file: urlset(`<url><loc>http://a.test/&nbsp;&#0;&#x110000;&#x;&#;</loc></url>`), urls: []string{"loc http://a.test/&nbsp;&#0;&#x110000;&#x;&#;"}, notes: "not_well_formed undefined_entity"},
	{name: "raw ampersands", file: urlset(`<url><loc>http://a.test/?a=1&b=2&&c&amp;d&</loc></url>`), urls: []string{"loc http://a.test/?a=1&b=2&&c&d&"}, notes: "not_well_formed raw_ampersand"},

	// Not XML, but in use.
	{name: "byte order mark and white space", file: "\ufeff\n \ufeff<?xml version='1.0'?>" + urlset(`<url><loc>http://a.test/</loc></url>`), urls: []string{"loc http://a.test/"}, notes: "content_before_xml not_well_formed"},
	{name: "text before", file: "Notice: line 3\n<?xml version='1.0'?>" + urlset(`<url><loc>http://a.test/</loc></url>`), urls: []string{"loc http://a.test/"}, notes: "content_before_xml not_well_formed"},
	{name: "tags before", file: "<br />\n<b>Warning</b>: in <b>x.php</b><br />" + urlset(`<url><loc>http://a.test/</loc></url>`), urls: []string{"loc http://a.test/"}, notes: "not_well_formed"},
	{name: "control characters", file: urlset("<url><loc>http://a.test/\x01\x00x</loc></url>"), urls: []string{"loc http://a.test/\x01\x00x"}, notes: "control_character not_well_formed"},
	{name: "no UTF-8", file: urlset("<url><loc>http://a.test/\xe4</loc></url><url><loc>http://a.test/ä</loc></url>"), urls: []string{"loc http://a.test/\xe4", "loc http://a.test/ä"}, notes: "invalid_utf8 not_well_formed"},
	{name: "space in loc", file: urlset("<url><loc>http://a.test/a b\r\nc&#9;d</loc></url>"), urls: []string{"loc http://a.test/a b\nc\td"}, notes: "space_in_loc"},
	{name: "cut off in a loc", file: `<urlset ` + ns + `><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/tw`, urls: []string{"loc http://a.test/1"}, broken: true, notes: "not_well_formed"},
	{name: "cut off after its '<'", file: `<urlset ` + ns + `><url><loc>http://a.test/1<`, broken: true, notes: "not_well_formed"},
	{name: "cut off after a loc", file: `<urlset ` + ns + `><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</loc><last`, urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, broken: true, notes: "not_well_formed"},
	{name: "cut off in an end tag", file: `<urlset ` + ns + `><url><loc>http://a.test/1</lo`, urls: []string{"loc http://a.test/1"}, broken: true, notes: "not_well_formed"},
	{name: "no end tag of the root", file: `<urlset ` + ns + `><url><loc>http://a.test/1</loc></url>`, urls: []string{"loc http://a.test/1"}, broken: true, notes: "not_well_formed"},
	{name: "loc left open", file: urlset(`<url><loc>http://a.test/1</url><url><loc>http://a.test/2</loc></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "loc closed by itself", file: urlset(`<url><loc>http://a.test/1<loc></url><url><loc>http://a.test/2</loc></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "loc and url left open", file: urlset(`<url><loc>http://a.test/1<url><loc>http://a.test/2</loc></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "end tag without '>'", file: urlset(`<url><loc>http://a.test/1</loc</url><url><loc>http://a.test/2</loc></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "quote left open", file: urlset(`<url a="x><loc>http://a.test/1</loc></url><url b="y"><loc>http://a.test/2</loc></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "bare '<'", file: urlset(`<url><loc>http://a.test/?1<2</loc></url>`), urls: []string{"loc http://a.test/?1<2"}, notes: "malformed_xml not_well_formed"},
	{name: "]]> in a loc", file: urlset(`<url><loc>http://a.test/]]></loc></url>`), urls: []string{"loc http://a.test/]]>"}, notes: "not_well_formed"},
	{name: "HTML tags inside", file: urlset(`<url><loc>http://a.test/1</loc><br><p>x</url><url><loc>http://a.test/2</loc></url>`), urls: []string{"loc http://a.test/1", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "40 entries left open", file: `<urlset ` + ns + `>` + strings.Repeat(`<url><loc>http://a.test/</loc>`, 40) + `</urlset>`, urls: times(40, "loc http://a.test/"), notes: "malformed_xml not_well_formed"},

	// HTML and other files that are not sitemaps.
	{name: "HTML", file: "<!doctype html><html><body><loc>http://a.test/</loc></body></html>", format: "none"},
	{name: "XHTML", file: "<?xml version='1.0'?>\n<html><url><loc>http://a.test/</loc></url></html>", format: "none"},
	{name: "other XML", file: "<opml><body><outline/></body></opml>", format: "none"},
	{name: "much other XML", file: "<opml>" + strings.Repeat("<outline/>", 5000) + "</opml>" + urlset(`<url><loc>http://a.test/</loc></url>`), format: "none"},
	{name: "JSON", file: `{"urls": ["http://a.test/"]}`, format: "none"},
	{name: "nothing", file: "", format: "none"},
	{name: "white space", file: " \n\ufeff\n", format: "none"},

	// Size.
	{name: "a loc of 64 KiB", file: urlset(`<url><loc>` + pad("http://a.test/", 64<<10) + `</loc></url>`), urls: []string{"loc " + pad("http://a.test/", 64<<10)}},
	{name: "a loc of 64 KiB and one", file: urlset(`<url><loc>` + pad("http://a.test/", 64<<10+1) + `</loc><lastmod>2026-01-02</lastmod></url><url><loc>http://a.test/2</loc></url>`),
		urls: []string{"loc " + pad("http://a.test/", 2048) + " (too_long, 2048 bytes) 2026-01-02", "loc http://a.test/2"}},
	{name: "a loc of 100 KB", file: urlset(`<url><loc>` + pad("http://a.test/", 100_000) + `<![CDATA[` + pad("", 1000) + `]]></loc></url>`), urls: []string{"loc " + pad("http://a.test/", 2048) + " (too_long, 2048 bytes)"}},
	{name: "a link of 100 KB", file: urlset(`<url><loc>http://a.test/</loc><xhtml:link rel="alternate" href="` + pad("http://a.test/", 100_000) + `"/></url><url><loc>http://a.test/2</loc></url>`),
		urls: []string{"loc http://a.test/", "hreflang " + pad("http://a.test/", 2048) + " (too_long, 2048 bytes)", "loc http://a.test/2"}, notes: "malformed_xml not_well_formed"},
	{name: "a tag of 100 KB", file: urlset(`<url a="` + pad("", 100_000) + `>"><loc>http://a.test/</loc></url>`), urls: []string{"loc http://a.test/"}, notes: "malformed_xml"},
	{name: "a comment, an instruction and CDATA of 100 KB", file: urlset(`<!--` + pad("", 100_000) + `--><?x ` + pad("", 100_000) + `?><url><title><![CDATA[` + pad("", 100_000) + `]]></title><loc>http://a.test/</loc></url>`),
		urls: []string{"loc http://a.test/"}},
	{name: "a loc just not too deep", file: urlset(strings.Repeat("<a>", 29) + `<url><loc>http://a.test/<b>x</b></loc></url>` + strings.Repeat("</a>", 29)), urls: []string{"loc http://a.test/"}, notes: "deep_nesting"},
	{name: "a loc just too deep", file: urlset(strings.Repeat("<a>", 30) + `<url><loc>http://a.test/</loc><x><loc>http://a.test/</loc></x></url>` + strings.Repeat("</a>", 30)), notes: "deep_nesting"},
	{name: "40 deep", file: urlset(strings.Repeat("<a>", 40) + `<url><loc>http://a.test/deep</loc></url>` + strings.Repeat("</a>", 40) + `<url><loc>http://a.test/</loc></url>`),
		urls: []string{"loc http://a.test/"}, notes: "deep_nesting"},
}

func times(n int, s string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = s
	}
	return all
}

// pad extends a text to n bytes.
func pad(s string, n int) string { return s + strings.Repeat("a", n-len(s)) }

// hints makes an entry for each value of an element.
func hints(name string, values ...string) (entries string) {
	for _, value := range values {
		entries += `<url><loc>http://a.test/h</loc><` + name + `>` + value + `</` + name + `></url>`
	}
	return entries
}

// newsOf makes an entry of news for each date.
func newsOf(dates ...string) (entries string) {
	for _, date := range dates {
		entries += `<url><loc>http://a.test/n</loc><news><publication><name>N</name><language>en</language></publication><publication_date>` + date + `</publication_date><title>T</title></news></url>`
	}
	return entries
}
