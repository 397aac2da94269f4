import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import Testing
import Traces

/// A log in memory, with a missing sample as in a run in progress.
private final class ListedLog: EvalLog {
    let run: EvalRun
    let samples: [EvalSampleRecord]

    init(_ samples: [EvalSampleRecord], total: Int? = nil, slices: [String] = ["kind"]) {
        self.samples = samples
        run = EvalRun(
            key: "7", name: "made", task: "made", model: "m", format: "orrery", state: .running, total: total,
            completed: samples.count, scores: [EvalScoreKind("exact"), EvalScoreKind("say \"how\"")], slices: slices)
    }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        samples.map(\.row).filter { range.contains($0.index) }
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
        guard let found = samples.first(where: { $0.row.index == index }) else {
            throw EvalLogError(path: "made", problem: "no such sample")
        }
        return found
    }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] {
        [SpanRecord(trace: "0a", span: "1", name: "only", start: 1, end: 2)]
    }
}

@Suite("Exports of logs")
struct EvalLogExportTests {
    private func sample(_ index: Int, _ text: String, _ score: Double = 0.1) -> EvalSampleRecord {
        EvalSampleRecord(
            row: EvalRow(
                index: index, id: "s\(index)", outcome: .failed, scores: [score, .nan], input: text, answer: text,
                target: "t", cluster: "c", slices: [text], seconds: 1.0 / 3, tokens: 5, cost: 1e-7),
            messages: [Message(.user, [.text(text)])], input: text, answer: text, targets: ["t"],
            scores: [EvalScore("exact", value: score, parts: [score, 2])],
            steps: [EvalStep(kind: .model, name: "m")])
    }

    private func written(_ export: EvalLogExport, _ format: EvalLogExport.Format) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try export.write(format) { bytes += $0 }
        return bytes
    }

    private func reopened(_ bytes: [UInt8]) throws -> any EvalLog {
        let folder = TextFiles.folder(["log": String(decoding: bytes, as: UTF8.self)])
        defer {
            unlink(folder + "/log")
            rmdir(folder)
        }
        return try #require(EvalLogFormats.open(folder + "/log").first)
    }

    static let texts = [
        "plain", "a,b", "say \"so\"", "\"\u{301}accent on a quotation mark", "line\r\nbreak", "nul \u{0} bell \u{7}",
        "=1+1", "-5", "-x", "+1", "@a", "", " é😀 ", String(repeating: "long \"text\", ", count: 100_000),
    ]

    @Test("JSON Lines open as a log with the same samples, without missing ones")
    func jsonLines() throws {
        let samples = Self.texts.enumerated().map { sample($0 * 300, $1, 0.1 * Double($0)) }
        let log = ListedLog(samples, total: 300 * samples.count)
        let again = try reopened(try written(EvalLogExport(log), .jsonLines))
        let rows = try again.rows(0..<1000) { false }
        #expect(rows.count == samples.count)
        for (place, (row, record)) in zip(rows, samples).enumerated() {
            var expected = record
            expected.row.index = place
            let read = try again.sample(row.index)
            // As text, NaN equals itself.
            #expect(String(reflecting: read) == String(reflecting: expected))
            #expect(read.scores == record.scores)
        }
        #expect(again.run.scores == log.run.scores && again.run.total == log.run.total)
    }

    @Test("spans are included on request")
    func spans() throws {
        let log = ListedLog([sample(0, "a")])
        let spans = try log.spans(of: 0)
        #expect(try reopened(try written(EvalLogExport(log, withSpans: true), .jsonLines)).spans(of: 0) == spans)
        #expect(try reopened(try written(EvalLogExport(log), .jsonLines)).spans(of: 0) != spans)
    }

    @Test("every sample of a log of unknown length is written")
    func unknownLength() throws {
        let log = ListedLog((0..<700).map { sample($0, "a") }, total: nil)
        #expect(try written(EvalLogExport(log), .jsonLines).count { $0 == 10 } == 701)
    }

    @Test(
        "a table read by RFC 4180 has the same texts; for spreadsheets, formulas get an apostrophe",
        arguments: [false, true])
    func csv(forSpreadsheets: Bool) throws {
        let log = ListedLog(Self.texts.enumerated().map { sample($0, $1) })
        let table = try Self.parsed(written(EvalLogExport(log, forSpreadsheets: forSpreadsheets), .csv))
        #expect(
            table.first == [
                "id", "epoch", "outcome", "exact", "say \"how\"", "cluster", "kind", "input", "answer", "target",
                "problem", "seconds", "tokens", "cost",
            ])
        #expect(table.count == Self.texts.count + 1)
        for (line, text) in zip(table.dropFirst(), Self.texts) {
            #expect(line.count == 14)
            let shown = forSpreadsheets && ["=1+1", "-x", "@a"].contains(text) ? "'" + text : text
            #expect(Array(line[7].utf8) == Array(shown.utf8))
            #expect(line[3] == "0.1" && line[4] == "" && Double(line[11]) == 1.0 / 3 && Double(line[13]) == 1e-7)
        }
    }

    /// Parses a table by RFC 4180; every record ends with CR and LF.
    private static func parsed(_ bytes: [UInt8]) throws -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field: [UInt8] = []
        var place = 0
        var isQuoted = false
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if isQuoted {
                guard byte == 0x22 else {
                    field.append(byte)
                    continue
                }
                if place < bytes.count, bytes[place] == 0x22 {
                    field.append(0x22)
                    place += 1
                } else {
                    isQuoted = false
                }
            } else if byte == 0x22, field.isEmpty {
                isQuoted = true
            } else if byte == 0x2C || byte == 0x0D {
                record.append(String(decoding: field, as: UTF8.self))
                field = []
                guard byte == 0x0D else { continue }
                try #require(place < bytes.count && bytes[place] == 0x0A)
                place += 1
                records.append(record)
                record = []
            } else {
                try #require(byte != 0x22 && byte != 0x0A)
                field.append(byte)
            }
        }
        try #require(field.isEmpty && record.isEmpty)
        return records
    }
}
