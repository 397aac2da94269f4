internal import Bytes
internal import EvalLogs
internal import LanguageModels

/// Everything stored of a sample except its row: solution, scores, and request.
struct StoredSample: Hashable, Sendable {
    var solution: Solution
    var scores: [EvalScore]
    /// Whole request as text.
    var input: String
    var targets: [String]
    var choices: [String]
    /// Row of the dataset as JSON text; `nil` if there is none.
    var fields: String?
    /// Start in nanoseconds since 1970.
    var start: Int64
    var end: Int64
}

extension StoredSample: Packed {
    private static let version: UInt8 = 1

    func pack(into writer: inout PackedWriter) {
        writer.write(tag: Self.version)
        writer.write(solution)
        writer.write(scores)
        writer.write(input)
        writer.write(targets)
        writer.write(choices)
        writer.write(fields)
        writer.write(start)
        writer.write(end)
    }

    init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        guard try reader.tag() == Self.version else { throw PackedReader.Damage() }
        self.init(
            solution: try reader.value(), scores: try reader.array(), input: try reader.text(),
            targets: try reader.array(), choices: try reader.array(), fields: try reader.optional(),
            start: try reader.int64(), end: try reader.int64())
    }

    init(_ bytes: [UInt8]) throws(PackedReader.Damage) {
        self = try bytes.withRawBytes { (bytes) throws(PackedReader.Damage) in
            var reader = PackedReader(bytes)
            let sample = try StoredSample(from: &reader)
            guard reader.isAtEnd else { throw PackedReader.Damage() }
            return sample
        }
    }
}

extension EvalScore: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(name)
        writer.write(value)
        writer.write(label)
        writer.write(answer)
        writer.write(explanation)
        writer.write(problem)
        writer.write(confidence)
        writer.write(parts)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            try reader.text(), value: try reader.optional(), label: try reader.optional(),
            answer: try reader.optional(), explanation: try reader.optional(), problem: try reader.optional(),
            confidence: try reader.optional(), parts: try reader.array())
    }
}

extension EvalScoreKind: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(name)
        writer.write(higherIsBetter)
        writer.write(passesAt)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(try reader.text(), higherIsBetter: try reader.bool(), passesAt: try reader.double())
    }
}

extension EvalSetting: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write([name, value]) }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        let words: [String] = try reader.array()
        guard words.count == 2 else { throw PackedReader.Damage() }
        self.init(words[0], words[1])
    }
}

extension EvalMetric: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(score)
        writer.write(name)
        writer.write(value)
        writer.write(standardError)
        writer.write(lower)
        writer.write(upper)
        writer.write(level)
        writer.write(count)
        writer.write(higherIsBetter)
        writer.write(note)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            score: try reader.text(), name: try reader.text(), value: try reader.double(),
            standardError: try reader.optional(), lower: try reader.optional(), upper: try reader.optional(),
            level: try reader.optional(), count: try reader.int(), higherIsBetter: try reader.bool(),
            note: try reader.optional())
    }
}
