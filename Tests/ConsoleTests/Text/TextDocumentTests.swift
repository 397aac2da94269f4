import Console
import Testing

@Suite("Text document")
struct TextDocumentTests {
    @Test("segments are lines")
    func segments() {
        let document = TextDocument("one\r\ntwo\n\nfour")
        var segments: [String] = []
        document.withBytes { bytes in
            var next: Int? = 0
            while let start = next {
                let segment = document.segment(from: start, in: bytes)
                segments.append(String(decoding: bytes[segment.start..<segment.end], as: UTF8.self))
                next = segment.next
            }
        }
        #expect(segments == ["one", "two", "", "four"])
    }

    @Test("a segment found from any offset equals the segment found from the start", arguments: 0..<30)
    func randomSegments(seed: Int) {
        var generator = SeededGenerator(seed)
        // With few line feeds, lines are long enough to be split.
        var text = ""
        for _ in 0..<40 {
            text += randomText(&generator, words: 12).filter {
                !$0.isNewline || Int.random(in: 0..<4, using: &generator) == 0
            }
            if Bool.random(using: &generator) {
                text += String(repeating: "行", count: Int.random(in: 0..<900, using: &generator))
            }
        }
        let document = TextDocument(text, stride: 600)
        document.withBytes { bytes in
            var next: Int? = 0
            while let start = next {
                let segment = document.segment(from: start, in: bytes)
                #expect(segment.end - segment.start <= 2 * 600 + 512)
                #expect(String(validating: bytes[segment.start..<segment.end], as: UTF8.self) != nil)
                next = segment.next
                for place in Set([start, (start + segment.end) / 2, (next ?? document.count) - 1]) where place >= start
                {
                    #expect(document.segment(at: place, in: bytes) == segment)
                }
                if let next { #expect(document.segment(before: next, in: bytes) == segment) }
            }
        }
    }

    @Test("short lines are not split")
    func shortLines() {
        let text = (0..<2_000).map { String(repeating: "x", count: $0 % 500) }.joined(separator: "\n")
        let document = TextDocument(text, stride: 600)
        document.withBytes { bytes in
            var next: Int? = 0
            var lines = 0
            while let start = next {
                let segment = document.segment(from: start, in: bytes)
                #expect(segment.startsLine && segment.endsLine)
                lines += 1
                next = segment.next
            }
            #expect(lines == 2_000)
        }
    }

    @Test("the line index agrees with splitting the text", arguments: 0..<10)
    func lineIndex(seed: Int) {
        var generator = SeededGenerator(seed)
        let text = (0..<Int.random(in: 1..<30_000, using: &generator))
            .map { _ in String(repeating: "y", count: Int.random(in: 0..<20, using: &generator)) }
            .joined(separator: "\n")
        let document = TextDocument(text)
        var index = LineIndex()
        #expect(index.lineCount == nil)
        while !index.isComplete { index.advance(over: document, budget: 100_000) }
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
        #expect(index.lineCount == lines.count)
        for _ in 0..<20 {
            let line = Int.random(in: 0..<lines.count, using: &generator)
            let start = text.utf8.distance(from: text.startIndex, to: lines[line].startIndex)
            #expect(index.start(ofLine: line + 1, in: document) == start)
            #expect(index.line(at: start, in: document) == line + 1)
        }
        #expect(index.start(ofLine: lines.count + 1, in: document) == nil)
        #expect(index.start(ofLine: 0, in: document) == nil)
    }
}
