internal import JSON

/// What a line of a log of lines is.
enum LinePiece {
    case none
    /// So many samples stand in the line.
    case samples(Int)
    /// A part of the sample with this name, which may have more lines.
    case part(of: String)
}

/// How the lines of one format are read.
protocol LineLogReader: Sendable {
    /// Whether every line is exactly one sample, so that lines need not be read to be counted.
    var isEveryLineASample: Bool { get }
    /// Parts of the file of which each holds a line of every sample, in the same order; empty where the file is one.
    var strands: [Range<Int>] { get }
    /// Lines that are looked at beyond the wanted sample, for its parts may stand there.
    var lookAhead: Int { get }
    /// What a line is by its first bytes, 64 at most; nil where the whole line must be read.
    func piece(ofStart bytes: [UInt8]) -> LinePiece?
    func piece(_ line: JSONValue) -> LinePiece
    /// The record of the sample in these lines; its row holds the numbers of the run's scores.
    ///
    /// - Parameter part: which of a line's samples.
    func record(_ lines: [JSONValue], part: Int, index: Int, run: EvalRun) -> EvalSampleRecord
}

extension LineLogReader {
    var strands: [Range<Int>] { [] }
    func piece(ofStart bytes: [UInt8]) -> LinePiece? { nil }
}
