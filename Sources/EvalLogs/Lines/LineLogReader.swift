internal import JSON

/// What a line of a log of lines is.
enum LinePiece {
    case none
    /// A line with N samples.
    case samples(Int)
    /// A part of the sample with this name, which may have more lines.
    case part(of: String)
}

/// How the lines of one format are read.
protocol LineLogReader: Sendable {
    /// Whether every line is exactly one sample, so that lines need not be read to be counted.
    var isEveryLineASample: Bool { get }
    /// Parts of the file, each with a line of every sample in the same order; empty if the file is one part.
    var strands: [Range<Int>] { get }
    /// Lines that are looked at beyond the wanted sample, for its parts may stand there.
    var lookAhead: Int { get }
    /// Returns the kind of a line from its first bytes, at most 64; `nil` if the whole line must be read.
    func piece(ofStart bytes: [UInt8]) -> LinePiece?
    func piece(_ line: JSONValue) -> LinePiece
    /// The record of the sample in these lines; its row holds the numbers of the run's scores.
    ///
    /// - Parameter part: Index among a line's samples.
    func record(_ lines: [JSONValue], part: Int, index: Int, run: EvalRun) -> EvalSampleRecord
}

extension LineLogReader {
    var strands: [Range<Int>] { [] }
    func piece(ofStart bytes: [UInt8]) -> LinePiece? { nil }
}
