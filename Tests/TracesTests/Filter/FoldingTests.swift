import Testing
import Traces

@Suite("Case folding")
struct FoldingTests {
    private func folded(_ text: String) -> String { String(decoding: Folding.folded(text), as: UTF8.self) }

    @Test(
        "capitals become lowercase, and all other characters are unchanged",
        arguments: [
            ("Permission DENIED [42] {a_B}", "permission denied [42] {a_b}"),
            ("ÀÉÎÕÜßÞ×", "àéîõüßþ×"),
            ("ĀąĹĺŸŽŁŃ", "āąĺĺÿžłń"),
            ("ΑΒΣς ΆΈΌΎΏ", "αβσσ άέόύώ"),
            ("ЖЁЯ жёя", "жёя жёя"),
            ("İıſ 中文 日本 🙂", "İıſ 中文 日本 🙂"),
        ])
    func letters(text: String, expected: String) {
        #expect(folded(text) == expected)
    }

    @Test("folding preserves the byte count, agrees with Unicode's lowercase mapping, and is idempotent")
    func everyScalar() {
        for value in UInt32(0)..<0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar))
            let once = folded(text)
            #expect(once.utf8.count == text.utf8.count)
            #expect(folded(once) == once)
            let covered = value < 0x180 || (0x386...0x3CE).contains(value) || (0x400...0x45F).contains(value)
            let small = scalar.properties.lowercaseMapping
            if covered, small.utf8.count == text.utf8.count, value != 0x3C2 { #expect(once == small, "U+\(value)") }
            if !covered { #expect(once == text) }
        }
    }

    @Test("search finds the same position as a naive comparison", arguments: 0..<3)
    func places(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let letters = Array("aAbBäÄ.σς ")
        for _ in 0..<2_000 {
            let text = String((0..<random.next(20)).map { _ in random.pick(letters) })
            let needle = Folding.folded(String((0...random.next(3)).map { _ in random.pick(letters) }))
            let haystack = Folding.folded(text)
            let expected = (0...max(0, haystack.count)).first { haystack[$0...].starts(with: needle) }
            #expect(Folding.place(of: needle, in: text) == expected)
            #expect(Folding.equals(text, needle) == (haystack == needle))
        }
    }
}
