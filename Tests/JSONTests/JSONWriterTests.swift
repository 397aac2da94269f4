import JSON
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
    private struct Wheel: JSONRepresentable {
        var name: String
        var teeth: Int?

        func write(to json: inout JSONWriter) {
            json.object {
                $0.member("name", name)
                $0.member("teeth", teeth)
            }
        }
    }

    @Test("members appear in the order in which they are written")
    func order() {
        let wheels = [Wheel(name: "Moon", teeth: 127), Wheel(name: "Sun", teeth: nil)]
        #expect(wheels.json() == #"[{"name":"Moon","teeth":127},{"name":"Sun","teeth":null}]"#)
        #expect(
            wheels.json(.pretty) == """
                [
                  {
                    "name": "Moon",
                    "teeth": 127
                  },
                  {
                    "name": "Sun",
                    "teeth": null
                  }
                ]
                """)
    }

    @Test("an array of objects has one object per element")
    func objects() {
        var json = JSONWriter()
        json.object {
            $0.objects("none", of: [Int]()) { _, _ in }
            $0.objects("numbers", of: [1, 2]) { number, json in json.member("value", number) }
        }
        #expect(json.text == #"{"none":[],"numbers":[{"value":1},{"value":2}]}"#)
    }

    @Test("empty containers stay on one line")
    func emptyContainers() {
        var json = JSONWriter(style: .pretty)
        json.object {
            $0.member("object") { $0.object { _ in } }
            $0.member("array", [Int]())
            $0.member("absent", ifPresent: Int?.none)
            $0.member("nested") { $0.array { $0.array { $0.array { _ in } } } }
        }
        #expect(
            json.text == """
                {
                  "object": {},
                  "array": [],
                  "nested": [
                    [
                      []
                    ]
                  ]
                }
                """)
    }

    @Test("a writer can write one record per line and can be reused")
    func lines() {
        var json = JSONWriter()
        for number in 1...2 {
            json.object { $0.member("n", number) }
            json.endLine()
        }
        #expect(json.text == "{\"n\":1}\n{\"n\":2}\n")
        json.removeAll()
        json.value(true)
        #expect(json.text == "true")
    }

    @Test(
        "characters are escaped if JSON requires it, or if they affect terminals",
        arguments: [
            ("", #""""#), ("é€😀", #""é€😀""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1B}[31m", #""\u0000\u001b[31m""#), ("\u{7F}", #""\u007f""#), ("\u{9B}31m", #""\u009b31m""#),
            ("\u{A0}", "\"\u{A0}\""), ("a\u{2028}b", #""a\u2028b""#), ("\u{202E}x\u{2066}", #""\u202ex\u2066""#),
            ("\u{2027}\u{206A}", "\"\u{2027}\u{206A}\""), ("/", #""/""#), ("€\u{80}", #""€\u0080""#),
        ])
    func escapes(text: String, json: String) throws {
        #expect(text.json() == json)
        #expect(Substring(text).json() == json)
        try JSONParser().parse(json) { #expect($0.string == text) }
    }

    @Test("numbers have their shortest form, and infinite numbers become null")
    func numbers() {
        #expect(
            [0.1, 1, -0.0, 1e22, Double.leastNonzeroMagnitude, 0.1 + 0.2].json()
                == "[0.1,1.0,-0.0,1e+22,5e-324,0.30000000000000004]")
        #expect([Double.nan, .infinity, -.infinity].json() == "[null,null,null]")
        #expect([Float(0.1), .infinity].json() == "[0.1,null]")
        #expect([Int64.min, .max].json() == "[-9223372036854775808,9223372036854775807]")
        #expect(UInt64.max.json() == "18446744073709551615")
    }

    @Test("the keys of a dictionary are sorted")
    func dictionary() {
        #expect(["b": 1, "a": 2, "é\n": 3].json() == #"{"a":2,"b":1,"é\n":3}"#)
    }

    @Test("invalid UTF-8 becomes U+FFFD")
    func invalidUTF8() {
        var json = JSONWriter()
        [0x61, 0xFF, 0x62].withUnsafeBufferPointer { json.string(utf8: $0) }
        #expect(json.text == "\"a\u{FFFD}b\"")
    }

    @Test("a parsed value is copied verbatim or in the style of the writer")
    func copies() throws {
        let text = #"{"a" :[ 1.50,{ } , [ ],{"k\u0041":"\ud800\/"}], "b": null}"#
        let compact = #"{"a":[1.50,{},[],{"k\u0041":"\ud800\/"}],"b":null}"#
        try JSONParser().parse(text) { node in
            var verbatim = JSONWriter(style: .pretty)
            verbatim.copyVerbatim(node)
            #expect(verbatim.text == text)
            #expect(node.json() == compact)
            #expect(
                node.json(.pretty) == #"""
                    {
                      "a": [
                        1.50,
                        {},
                        [],
                        {
                          "k\u0041": "\ud800\/"
                        }
                      ],
                      "b": null
                    }
                    """#)
            var wrapped = JSONWriter()
            wrapped.object {
                $0.member("whole", node)
                $0.member("part", node["a"]?.element(at: 3))
                $0.member("raw") { $0.copyVerbatim(node["b"]!) }
            }
            #expect(wrapped.text == #"{"whole":\#(compact),"part":{"k\u0041":"\ud800\/"},"raw":null}"#)
        }
    }

    @Test("copies in different styles parse as the same values", arguments: 0..<4)
    func copiesRoundTrip(seed: UInt64) throws {
        let parser = JSONParser()
        var texts = RandomJSON(seed: seed)
        for _ in 0..<300 {
            let text = texts.valid()
            let (compact, pretty) = try parser.parse(text) { ($0.json(), $0.json(.pretty)) }
            try parser.parse(pretty) { #expect($0.json() == compact) }
            try parser.parse(compact) {
                #expect($0.json() == compact)
                #expect($0.json(.pretty) == pretty)
            }
        }
    }
}
