public import Traces

/// A recorded run whose head is known at once and whose samples are read at need: our own or any other program's.
///
/// Panels and statistics know logs only through this; a new format is one folder of this module and one line in
/// `EvalLogFormats.all`.
public protocol EvalLog: AnyObject, Sendable {
    /// Head of the log so far; it grows until the run ends.
    var run: EvalRun { get }

    /// The rows with these places, as many of them as there are by now.
    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow]

    /// All of one sample.
    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord

    /// Returns the sample's steps as the spans of one trace, the root first; empty if the log records no steps. A
    /// sample always gets the same IDs, so its trace is never stored twice.
    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord]

    /// Looks whether another program has written into the log since the last look, and takes in what it finds.
    ///
    /// Where nothing has changed it costs one question to the file system, so that it can be asked once a second. It
    /// waits for rows that are being read.
    func refresh() -> EvalLogChange
}

/// Why a log cannot be read, in a sentence with the place.
public struct EvalLogError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    /// Place in the file, if known: `line 12`, `byte 4096`, `samples/7_epoch_1.json`.
    public var place: String?
    /// Problem, without a final period.
    public var problem: String
    /// Remedy as a whole sentence; empty if there is none.
    public var remedy: String
    public var isCancellation: Bool
    /// Whether it is one line that cannot be read, and the others can.
    var isOfOneLine = false

    public init(path: String, place: String? = nil, problem: String, remedy: String = "", isCancellation: Bool = false)
    {
        self.path = path
        self.place = place
        self.problem = problem
        self.remedy = remedy
        self.isCancellation = isCancellation
    }

    public var sentence: String {
        path + (place.map { ", \($0)" } ?? "") + ": \(problem)." + (remedy.isEmpty ? "" : " \(remedy)")
    }
    public var description: String { sentence }
}
