import Foundation
import Testing
import Tokenizers

@Suite("Normalization")
struct NormalizationTests {
    private static func reference(_ form: NormalizationForm, _ text: String) -> String {
        switch form {
        case .nfc: text.precomposedStringWithCanonicalMapping
        case .nfd: text.decomposedStringWithCanonicalMapping
        case .nfkc: text.precomposedStringWithCompatibilityMapping
        case .nfkd: text.decomposedStringWithCompatibilityMapping
        }
    }

    @Test("stretch by stretch is the same as the whole text at once", arguments: NormalizationForm.allCases)
    func forms(form: NormalizationForm) {
        var texts = SeededTexts(31)
        let marks = [
            "\u{301}", "\u{323}", "\u{1161}", "\u{11A8}", "\u{AC00}", "\u{1100}", "\u{9BE}", "\u{9C7}", "\u{FB01}",
            "\u{212B}",
        ]
        for _ in 0..<1_000 {
            var text = texts.text()
            for _ in 0..<3 { text += marks.randomElement(using: &texts) ?? "" }
            let wanted = Array(Self.reference(form, text).utf8)
            let bytes = Array(text.utf8)
            bytes.withUnsafeBufferPointer { buffer in
                let result = form.apply(to: AlignedText(buffer, offset: 0, tracking: true))
                #expect(result.bytes == wanted, "\(text.debugDescription)")
                #expect(result.origins?.count == result.bytes.count)
                if form.leavesUnchanged(buffer) { #expect(wanted == bytes) }
            }
        }
    }

    @Test(
        "BERT's cleaning",
        arguments: [
            ("Héllo\tWorld", "hello world"), ("東京x", " 東  京 x"), ("a\u{0}\u{FFFD}\u{200B}b", "ab"), ("İ", "i"),
            ("É", "e"),
        ])
    func bert(text: String, wanted: String) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBufferPointer { buffer in
            let cleaned = BertNormalizer().apply(to: AlignedText(buffer, offset: 0, tracking: false))
            #expect(String(decoding: cleaned.bytes, as: UTF8.self) == wanted)
        }
    }

    @Test("classes of ASCII are those of the patterns")
    func classes() {
        let table = ScalarTable.shared
        #expect(ScalarClass(rawValue: table.classes(0x41)) == [.letter, .upper])
        #expect(ScalarClass(rawValue: table.classes(0x0A)) == [.space, .newline])
        #expect(ScalarClass(rawValue: table.classes(0x4E00)) == [.letter, .upper, .lower])
        #expect(ScalarClass(rawValue: table.classes(0x378)) == [.other])
        #expect(ScalarClass(rawValue: table.classes(0x301)) == [.mark, .upper, .lower])
        #expect(ScalarClass(rawValue: table.classes(.max)) == [.other])
        let spaces = (UInt32(0)...0x10FFFF).count { table.classes($0) & ScalarClass.space.rawValue != 0 }
        #expect(spaces == 25)
    }
}
