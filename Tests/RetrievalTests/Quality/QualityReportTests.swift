import Retrieval
import Testing

@Suite("Quality of texts")
struct QualityReportTests {
    /// Sixty words and more of ordinary English.
    static let good = """
        The guide scope was taken off the mount in March and has been in the workshop since. Its focuser slips when the
        tube points above sixty degrees, and the two screws that hold it have lost their thread. We think that a new
        plate would be cheaper than a repair. The old one can be kept for the public nights, where nobody takes
        pictures. If you have an opinion on this, write it below before the end of the month.
        """

    @Test("an ordinary text has no problems", arguments: QualityRules.named)
    func ordinary(rules: QualityRules) {
        let report = QualityReport(of: Self.good, rules: rules)
        let expected = rules.name == "c4" ? ["finished"] : []
        #expect(report.reasons.map(\.rule.measure.name).count <= expected.count, "\(report.reasons.map(\.sentence))")
        #expect(report.language?.code == "en")
    }

    @Test(
        "a reason names the measure, the bound, and its source",
        arguments: [
            ("Too short.", "words: 2, at least 50 (Gopher, A.1.1)"),
            (String(repeating: "a b c d ", count: 20), "mean word length: 1, at least 3 (Gopher, A.1.1)"),
            (good + String(repeating: " #tag", count: 40), "number signs (#) per word: "),
            (good + String(repeating: " wait...", count: 40), "ellipses per word: "),
            (good + String(repeating: " 12 34", count: 30), "words with letters: "),
            (
                String(repeating: "Check this valve before you open it, then write down what it says. ", count: 20),
                "distinct stop words: 0, at least 2"
            ),
            (
                String(repeating: "• one more point of the list\n", count: 20),
                "lines with bullets: 100.0 %, at most 90.0 %"
            ),
            (String(repeating: "and so it goes on...\n", count: 20), "lines that end with an ellipsis: 100.0 %"),
            (
                String(repeating: "The dome is closed to all visitors.\n", count: 12),
                "repeated lines: 91.7 %, at most 30.0 % (Gopher"
            ),
            (String(repeating: good + "\n\n", count: 3), "repeated paragraphs: 66.7 %"),
            (good + " " + good, "characters in repeated runs of 10 words: "),
            (good + String(repeating: " click here", count: 30), "characters in the most common run of 2 words: "),
        ])
    func reasons(text: String, reason: String) {
        let sentences = QualityReport(of: text, rules: .gopher).reasons.map(\.sentence)
        #expect(sentences.contains { $0.contains(reason) }, "\(sentences)")
    }

    @Test("counts match hand calculations")
    func byHand() {
        let report = QualityReport(
            of: "# one two\n\n- {three} four…\n\nLorem ipsum dolor.\nLorem ipsum dolor.\nMENU 12\n")
        let expected: [QualityMeasure: Double] = [
            .words: 14, .hashSigns: 1.0 / 14, .ellipses: 1.0 / 14, .bulletLines: 0.2, .ellipsisLines: 0.2,
            .curlyBrackets: 2, .fillerText: 2, .sentences: 2, .duplicateLines: 0.2, .duplicateParagraphs: 0,
            .menuWords: 2.0 / 14, .finishedLines: 0.6, .alphabeticWords: 11.0 / 14,
        ]
        for (measure, value) in expected {
            #expect(
                abs((report.measures[measure] ?? -1) - value) < 1e-12, "\(measure) \(report.measures[measure] ?? -1)")
        }
    }

    @Test("overlapping repeated runs count once")
    func overlap() {
        // Twelve equal words: of runs of five the first is new; all that follow cover words 1 to 11.
        let report = QualityReport(of: Array(repeating: "word", count: 12).joined(separator: " "))
        let characters = 12.0 * 5 - 1
        #expect(abs((report.measures[.duplicateRuns(5)] ?? 0) - (11 * 4 + 4) / characters) < 1e-9)
    }

    @Test("measures of words do not apply to scripts without spaces")
    func japanese() {
        let text = String(repeating: "鏡は年に二回掃除しなければなりません。", count: 4)
        let report = QualityReport(of: text)
        #expect(report.measures[.meanWordLength] == nil && report.measures[.topRun(2)] == nil)
        #expect(report.measures[.words] == 72 && report.measures[.sentences] == 4)
        #expect(report.language?.code == "ja")
    }

    @Test(
        "any text can be measured",
        arguments: ["", "\n\n\n", "\u{0}", String(repeating: "x", count: 100_000), "…", "\u{FEFF}"])
    func anyText(text: String) {
        let report = QualityReport(of: text, rules: .refinedWeb)
        #expect(report.measures.values.allSatisfy { $0.isFinite })
        #expect(!report.isGood)
    }
}
