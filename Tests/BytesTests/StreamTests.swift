import Bytes
import Testing

@Suite("Streams")
struct StreamTests {
    /// Returns a source that gives at most `piece` bytes at a time, so that every border of the window is met.
    private static func source(_ bytes: [UInt8], _ piece: Int) -> (UnsafeMutableRawBufferPointer) -> Int {
        var rest = bytes[...]
        return { buffer in
            let taken = rest.prefix(min(piece, buffer.count))
            buffer.copyBytes(from: taken)
            rest = rest.dropFirst(taken.count)
            return taken.count
        }
    }

    @Test("a window holds a record longer than what it reads at a time", arguments: [1, 7, 64, 1 << 20])
    func growth(piece: Int) throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let window = ByteWindow(startingAt: 5, chunk: 16, read: Self.source(bytes, piece))
        var place = 0
        for count in [1, 40, 3000, 2, 5000] {
            #expect(try window.fill(atLeast: count))
            #expect(window.bytes.prefix(count).elementsEqual(bytes[place..<place + count]))
            window.skip(count)
            place += count
            #expect(window.offset == place + 5)
        }
        #expect(try !window.fill(atLeast: 10_000))
        #expect(window.bytes.elementsEqual(bytes[place...]))
        #expect(try !window.fill())
    }

    @Test("lines and a byte-order mark are skipped", arguments: [1, 3, 100])
    func lines(piece: Int) throws {
        let window = ByteWindow(chunk: 4, read: Self.source(Array("\u{FEFF}one, a long line\n\nthree".utf8), piece))
        try window.skipByteOrderMark()
        #expect(window.offset == 3)
        #expect(try window.skipLine())
        #expect(window.offset == 20)
        #expect(try window.skipLine())
        #expect(try window.fill(atLeast: 5) && window.bytes.prefix(5).elementsEqual("three".utf8))
        #expect(try !window.skipLine())
        #expect(window.offset == 26)
    }

    @Test(
        "a table is split into rows and fields",
        arguments: [
            ("a,b\r\n\"c,\"\"d\",e\n\n,\n", [["a", "b"], ["c,\"d", "e"], ["", ""]], []),
            ("\u{FEFF}\"two\nlines\",x\ny", [["two\nlines", "x"], ["y"]], []),
            ("a\n\"open,b\nc", [["a"], ["\"open", "b"], ["c"]], [.openQuote(line: 2)]),
        ] as [(String, [[String]], [DelimitedRows.Trouble])])
    func rows(text: String, expected: [[String]], troubles: [DelimitedRows.Trouble]) throws {
        for piece in [1, 2, 5, 1000] {
            let rows = DelimitedRows(delimiter: 0x2C, read: Self.source(Array(text.utf8), piece))
            var found: [[String]] = []
            var said: [DelimitedRows.Trouble] = []
            while let row = try rows.next() {
                found.append(row.fields.map { row.text($0).text })
                said += rows.troubles
            }
            #expect(found == expected)
            #expect(said == troubles)
        }
    }

    @Test("a row over the limit is skipped", arguments: [1, 5])
    func longRow(piece: Int) throws {
        let text = Array("a\na row over the limit\nb".utf8)
        let rows = DelimitedRows(delimiter: 0x2C, most: 10, read: Self.source(text, piece))
        #expect(try rows.next()?.line == 1)
        #expect(try rows.next()?.line == 3)
        #expect(rows.troubles == [.oversized(line: 2)])
        #expect(try rows.next()?.line == nil)
    }

    @Test("bytes that are not UTF-8 are read as Windows-1252")
    func encoding() throws {
        let bytes: [UInt8] = [0x93, 0x61, 0xE9, 0x94, 0x2C, 0x62]
        let found = try bytes.withUnsafeBytes { bytes in
            let rows = DelimitedRows(delimiter: 0x2C, read: ByteWindow.source(bytes))
            return try rows.next().map { row in row.fields.map { row.text($0) } } ?? []
        }
        #expect(found.map(\.text) == ["“aé”", "b"])
        #expect(found.map(\.isLatin) == [true, false])
    }
}
