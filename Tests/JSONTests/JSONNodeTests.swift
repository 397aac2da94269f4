import JSON
import Testing

@Suite("JSON nodes")
struct JSONNodeTests {
    @Test("each value has its kind, and only the matching accessors return a value")
    func kinds() throws {
        let parser = JSONParser()
        try parser.parse(#"[null,true,false,7,"7",[7],{"a":7}]"#) { root in
            let nodes = Array(root.elements)
            #expect(nodes.map(\.kind) == [.null, .boolean, .boolean, .number, .string, .array, .object])
            #expect(nodes.map(\.isNull) == [true, false, false, false, false, false, false])
            #expect(nodes.map(\.bool) == [nil, true, false, nil, nil, nil, nil])
            #expect(nodes.map(\.int) == [nil, nil, nil, 7, nil, nil, nil])
            #expect(nodes.map(\.uint) == [nil, nil, nil, 7, nil, nil, nil])
            #expect(nodes.map(\.double) == [nil, nil, nil, 7, nil, nil, nil])
            #expect(nodes.map(\.lenientInt) == [nil, nil, nil, 7, 7, nil, nil])
            #expect(nodes.map(\.string) == [nil, nil, nil, nil, "7", nil, nil])
            #expect(nodes.map(\.count) == [0, 0, 0, 0, 0, 1, 1])
            #expect(nodes.map { $0["a"]?.int } == [nil, nil, nil, nil, nil, nil, 7])
            #expect(nodes.map { $0.element(at: 0)?.int } == [nil, nil, nil, nil, nil, 7, nil])
        }
    }

    @Test("byte ranges include quotes and brackets but no white space")
    func ranges() throws {
        let text = #" { "k\n" : [ 1.5 , "é" ] , "b":true } "#
        let parser = JSONParser()
        try parser.parse(text) { root in
            func source(_ node: JSONNode?) -> String? { node.map { String(decoding: $0.source, as: UTF8.self) } }
            #expect(root.byteRange == 1..<text.utf8.count - 1)
            #expect(source(root["k\n"]) == #"[ 1.5 , "é" ]"#)
            #expect(source(root["k\n"]?.element(at: 0)) == "1.5")
            #expect(source(root["k\n"]?.element(at: 1)) == #""é""#)
            #expect(source(root["b"]) == "true")
            #expect(root.members.map { source($0.key) } == [#""k\n""#, #""b""#])
            let bytes = Array(text.utf8)
            for (key, value) in root.members {
                #expect(Array(key.source) == Array(bytes[key.byteRange]))
                #expect(Array(value.source) == Array(bytes[value.byteRange]))
            }
        }
    }

    @Test("a key is found by its text, with or without escapes")
    func keys() throws {
        let parser = JSONParser()
        let text = #"{"":0,"a":1,"ab":2,"a\u0062c":3,"\"":4,"eightchr":5,"twelve_bytes":6,"é":7,"a":8,"\u0000":9}"#
        try parser.parse(text) { root in
            #expect(root.count == 10)
            #expect(root[""]?.int == 0)
            #expect(root["a"]?.int == 1)
            #expect(root["ab"]?.int == 2)
            #expect(root["abc"]?.int == 3)
            #expect(root["\""]?.int == 4)
            #expect(root["eightchr"]?.int == 5)
            #expect(root["twelve_bytes"]?.int == 6)
            #expect(root["é"]?.int == 7)
            #expect(root["\0"]?.int == 9)
            for absent in ["b", "A", "abd", "eightchs", "Twelve_bytes", "twelve_byteS", "twelve_bytes_", #"a\u0062c"#] {
                #expect(root.member(named: absent) == nil)
            }
            for (key, value) in root.members where value.int != 8 {
                #expect(root.member(named: key.string!)?.int == value.int)
            }
        }
    }

    @Test("iteration visits only direct children")
    func children() throws {
        let parser = JSONParser()
        try parser.parse(#"{"a":{"x":[1,{"y":2}]},"b":[[],[[]]],"c":3}"#) { root in
            #expect(root.members.map { $0.key.string } == ["a", "b", "c"])
            #expect(root["b"]?.elements.map(\.count) == [0, 1])
            #expect(root["x"] == nil && root["y"] == nil)
            var keys = ""
            root.forEachMember { key, _ in key.appendText(to: &keys) }
            #expect(keys == "abc")
            var counts: [Int] = []
            root["b"]?.forEachElement { counts.append($0.count) }
            #expect(counts == [0, 1])
            #expect(root["a"]?["x"]?.element(at: 1)?["y"]?.int == 2)
            #expect(root["b"]?.element(at: 2) == nil && root["b"]?.element(at: -1) == nil)
            #expect(Array(root.elements).isEmpty && Array(root["b"]!.members).isEmpty)
        }
    }

    @Test(
        "an integer is exact or nil",
        arguments: [
            ("0", 0, 0), ("-0", 0, nil), ("42", 42, 42), ("-42", -42, nil),
            ("9223372036854775807", .max, 9_223_372_036_854_775_807), ("-9223372036854775808", .min, nil),
            ("9223372036854775808", nil, 9_223_372_036_854_775_808), ("-9223372036854775809", nil, nil),
            ("18446744073709551615", nil, .max), ("18446744073709551616", nil, nil), ("99999999999999999999", nil, nil),
            ("1.0", nil, nil), ("1e2", nil, nil), (#""1""#, nil, nil),
        ] as [(String, Int64?, UInt64?)])
    func integers(text: String, signed: Int64?, unsigned: UInt64?) throws {
        try JSONParser().parse(text) {
            #expect($0.int == signed)
            #expect($0.uint == unsigned)
        }
    }

    @Test(
        "lenientInt accepts strings of digits and numbers with a zero fraction",
        arguments: [
            (#""1737000000000000000""#, 1_737_000_000_000_000_000), (#""-5""#, -5), ("7", 7), ("7.0", 7), ("1e3", 1000),
            ("7.5", nil), (#""""#, nil), (#"" 5""#, nil), (#""5 ""#, nil), (#""+5""#, nil), (#""-""#, nil),
            (#""0x5""#, nil), (#""7.0""#, nil), (#""9223372036854775808""#, nil), ("1e300", nil), ("true", nil),
        ] as [(String, Int64?)])
    func lenientIntegers(text: String, expected: Int64?) throws {
        try JSONParser().parse(text) { #expect($0.lenientInt == expected) }
    }

    @Test(
        "lenientDouble accepts strings that contain numbers",
        arguments: [
            ("1.5", 1.5), (#""1.5""#, 1.5), (#""-12""#, -12), (#""1e400""#, .infinity), (#""Infinity""#, .infinity),
            (#""""#, nil), (#""1.5 ""#, nil), (#""1,5""#, nil), ("null", nil), ("[]", nil),
        ] as [(String, Double?)])
    func lenientDoubles(text: String, expected: Double?) throws {
        try JSONParser().parse(text) { #expect($0.lenientDouble == expected) }
    }

    @Test(
        "doubles are rounded as in Swift",
        arguments: [
            "0", "-0", "0.0", "1", "-1.5", "0.1", "0.2", "0.30000000000000004", "1e22", "1e23", "1e-22", "1e-23",
            "9007199254740991", "9007199254740993", "123456789012345678", "1234567890123456789012345678901234567890",
            "1.7976931348623157e308", "1e308", "1e309", "-1e400", "5e-324", "2e-324", "1e-400",
            "2.2250738585072011e-308",
            "0.000000000000000000000000000001", "1.00000000000000000000000000000000000000001", "3.14159265358979323846",
            "0e999999999999", "1e-999999999999", "12345.678e-3", "8.5e+2", "4.35", "0.5e22", "100000000000000000000000",
        ])
    func doubles(text: String) throws {
        try JSONParser().parse(text) {
            let value = try #require($0.double)
            #expect(value.bitPattern == Double(text)?.bitPattern)
        }
    }

    @Test("doubles with random bits stay the same when they are written and parsed")
    func randomDoubles() throws {
        let parser = JSONParser()
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            try parser.parse(value.description) { #expect($0.double?.bitPattern == value.bitPattern) }
        }
    }

    @Test("a document owns its bytes and reports errors")
    func document() throws {
        let document = try JSONDocument(parsing: #"{"a":[1,2,3]}"#)
        let range = document.withRoot { $0["a"]?.byteRange }
        #expect(range == 5..<12)
        #expect(document.bytes(in: 5..<12) == Array("[1,2,3]".utf8))
        #expect(document.bytes(in: 12..<99) == Array("}".utf8))
        #expect(throws: JSONError(offset: 0, problem: .empty)) { try JSONDocument(parsing: "") }
        #expect(throws: JSONError(offset: 2, problem: .tooDeep)) {
            try JSONDocument(parsing: "[[[]]]", maximumDepth: 2)
        }
    }
}
