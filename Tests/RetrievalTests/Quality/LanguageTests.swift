import JSON
import Retrieval
import TestFixtures
import Testing

@Suite("Language identification")
struct LanguageTests {
    @Test("thirty languages are identified from single sentences, with at most one error in twelve")
    func sentences() {
        var total = 0
        var wrong: [String] = []
        for (code, sentences) in LanguageSentences.all {
            #expect(LanguageIdentifier.standard.languages.contains(code))
            for sentence in sentences {
                total += 1
                let guess = LanguageIdentifier.standard.identify(sentence)
                if guess?.code != code { wrong.append("\(code) as \(guess?.code ?? "none"): \(sentence)") }
            }
        }
        #expect(total > 95)
        #expect(12 * wrong.count <= total, "\(wrong)")
    }

    @Test("every language is identified from four sentences")
    func paragraphs() {
        for (code, sentences) in LanguageSentences.all {
            let guess = LanguageIdentifier.standard.identify(sentences.joined(separator: " "))
            #expect(guess?.code == code)
            #expect((guess?.confidence ?? 0) > 0.8, "\(code) \(guess?.confidence ?? 0)")
        }
    }

    @Test(
        "text that is not language has no result",
        arguments: [
            "", "42", "Yes.", "3.14 2.71 1.41 | 1.73 2.23 2.44", "xqzj kwvv bnmq zzkx qqwv jjxk vvbq wxzq",
        ])
    func none(text: String) { #expect(LanguageIdentifier.standard.identify(text) == nil) }

    @Test("99 of 100 passages of two English collections are identified as English")
    func english() throws {
        for name in ["cranfield", "xquad-en"] {
            let path = EvaluationFixture.collection + "/\(name)/corpus.jsonl"
            guard let bytes = File.bytes(path) else {
                print("skipped: \(path) is not there")
                return
            }
            let reader = JSONRecordReader(bytes, framing: .lines)
            let parser = JSONParser()
            var (total, right) = (0, 0)
            while let record = try reader.next() {
                let text = try parser.parse(record.bytes)["text"]?.string ?? ""
                if text.utf8.count < 40 { continue }
                total += 1
                if LanguageIdentifier.standard.identify(text)?.code == "en" { right += 1 }
            }
            #expect(total > 200)
            #expect(100 * right >= 99 * total, "\(right) of \(total)")
        }
    }
}
