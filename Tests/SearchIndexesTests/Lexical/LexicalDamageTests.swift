import SearchIndexes
import Testing

@Suite("A damaged lexical index")
struct LexicalDamageTests {
    private func store() throws -> MemorySegments {
        var numbers = SeededNumbers(state: 5)
        let index = try LexicalIndex(
            LexicalSettings(analyzer: .words, fields: [LexicalField("title"), LexicalField("text")]))
        for label in 0..<400 {
            try index.add(Int64(label * 3), numbers.text(words: 3), numbers.text(words: 20, of: 100))
        }
        var store = MemorySegments()
        try index.save(to: &store)
        for label in 0..<40 { try index.remove(Int64(label * 9)) }
        try index.add(5000, "w1x", "w2x w3x w4x")
        try index.save(to: &store)
        return store
    }

    /// Opens and uses an index: whatever it throws is a ``SegmentError``, and nothing crashes.
    private func use(_ store: MemorySegments) -> SegmentError? {
        do throws(SegmentError) {
            let index = try LexicalIndex(from: store)
            let query = LexicalQuery(parsing: "w1x \"w2x w3x\" w5* +w4x -w9x title:w1x w30x")
            let hits = try index.search(query, k: 20)
            if let hit = hits.first { _ = try index.explain(query, label: hit.label) }
            _ = try index.search("w1x w2x w3x w7x", k: 3)
            try index.add(6000, texts: ["w1x", "w2x"])
            for label in 0..<240 { try index.remove(Int64(label * 3)) }
            var copy = store
            try index.save(to: &copy)
            return nil
        } catch {
            return error
        }
    }

    @Test("an undamaged index is intact")
    func whole() throws { #expect(use(try store()) == nil) }

    @Test("any changed byte is a named error or changes the contents")
    func changedBytes() throws {
        let store = try store()
        var numbers = SeededNumbers(state: 9)
        var errors = 0
        for key in store.keys {
            let bytes = try store.bytes(of: key)
            for _ in 0..<60 {
                var damaged = bytes
                let place = Int.random(
                    in: 0..<min(bytes.count, Bool.random(using: &numbers) ? 64 : .max), using: &numbers)
                damaged[place] = [0, 0x7F, 0x80, 0xFF, damaged[place] ^ 1, damaged[place] &+ 1].randomElement(
                    using: &numbers)!
                var other = store
                try other.put(key, damaged)
                if let error = use(other) {
                    errors += 1
                    #expect(error.sentence.hasSuffix(".") && error.sentence.count < 300)
                }
            }
        }
        #expect(errors > 50)
    }

    @Test("a truncated or missing segment is a named error")
    func truncations() throws {
        let store = try store()
        for key in store.keys {
            let bytes = try store.bytes(of: key)
            for count in [0, 1, bytes.count / 2, bytes.count - 1] {
                var other = store
                try other.put(key, Array(bytes[..<count]))
                #expect(use(other) != nil, "\(key) \(count)")
                try other.put(key, bytes + [0])
                #expect(use(other) != nil, "\(key) longer")
            }
            var other = store
            try other.remove(key)
            #expect(use(other) != nil, "\(key) missing")
        }
    }
}
