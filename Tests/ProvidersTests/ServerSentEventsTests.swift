import Providers
import Testing

@Suite("A stream is split into events") struct ServerSentEventsTests {
    /// Returns the events of a stream that arrives in pieces of a fixed size.
    static func events(_ stream: [UInt8], pieces: Int) throws -> [String] {
        var parser = ServerSentEvents()
        var found: [String] = []
        for start in stride(from: 0, to: stream.count, by: pieces) {
            let piece = Array(stream[start..<min(start + pieces, stream.count)])
            _ = try piece.withUnsafeBufferPointer { bytes in
                try parser.take(bytes) { name, data in
                    found.append(String(decoding: name, as: UTF8.self) + ">" + String(decoding: data, as: UTF8.self))
                    return true
                }
            }
        }
        return found
    }

    @Test(
        "events do not depend on the chunk size",
        arguments: [
            ("data: a\n\n", [">a"]), ("data:a\n\n", [">a"]), ("data:  a\n\n", ["> a"]),
            ("data: a\r\n\r\n", [">a"]), ("data: a\r\r", [">a"]), ("data: a\r\n\rdata: b\n\n", [">a", ">b"]),
            ("data: a\ndata: b\n\n", [">a\nb"]), ("data\n\n", [">"]), ("data:\ndata:\n\n", [">\n"]),
            (": keep-alive\n\n", []), (": ping\ndata: a\n: more\n\n", [">a"]),
            ("event: x\ndata: a\n\ndata: b\n\n", ["x>a", ">b"]), ("event: x\n\ndata: b\n\n", [">b"]),
            ("id: 1\nretry: 10\ndata: a\n\n", [">a"]), ("\n\n\ndata: a\n\n", [">a"]),
            ("\u{FEFF}data: a\n\n", [">a"]), ("data: \u{FEFF}a\n\n", [">\u{FEFF}a"]),
            ("data: zo\u{00EB} \u{1F600}\n\n", [">zo\u{00EB} \u{1F600}"]), ("data: a", []), ("data: a\n", []),
            ("datax: a\ndata: b\n\n", [">b"]), ("unknown\ndata: {\"a\": 1}\n\n", [">{\"a\": 1}"]),
            ("data: a:b\n\n", [">a:b"]), (" data: a\n\n", []),
        ])
    func splits(stream: String, expected: [String]) throws {
        for pieces in [1, 2, 3, 7, 1000] {
            #expect(try Self.events(Array(stream.utf8), pieces: pieces) == expected, "in pieces of \(pieces)")
        }
    }

    @Test("an event without a final empty line is separate")
    func whatNoEmptyLineEndsIsKeptApart() throws {
        var parser = ServerSentEvents()
        _ = try Array("data: a\ndata: b".utf8).withUnsafeBufferPointer { try parser.take($0) { _, _ in true } }
        #expect(parser.rest() == Array("a\nb".utf8))
        #expect(parser.rest() == nil)
    }

    @Test("endless lines and events end at the limit")
    func endlessLinesAndEventsEnd() {
        for piece in ["data: aaaaaaaaaaaaaaaa", "data: aaaaaaaa\n"] {
            var parser = ServerSentEvents(limit: 100)
            #expect(throws: ServerSentEvents.TooLong.self) {
                for _ in 0..<100 {
                    _ = try Array(piece.utf8).withUnsafeBufferPointer { try parser.take($0) { _, _ in true } }
                }
            }
        }
    }

    @Test("no events follow after the body returns false")
    func nothingIsTakenAfterEnough() throws {
        var parser = ServerSentEvents()
        var count = 0
        let wantsMore = try Array("data: a\n\ndata: b\n\n".utf8).withUnsafeBufferPointer {
            try parser.take($0) { _, _ in
                count += 1
                return false
            }
        }
        #expect(!wantsMore)
        #expect(count == 1)
    }
}
