public import JSON

/// A run as a line of a list: what it is, how it stands, and where its first curves are now.
public struct RunSummary: Sendable, Equatable, Identifiable {
    public var id: Int64
    /// The name that the user gave it, otherwise the recorded one.
    public var name: String
    /// The file or folder that a run of others is read from; nil for ours.
    public var source: String?
    /// The word of the format that it is read in; nil for ours.
    public var format: String?
    public var state: RunState
    /// The last step that was recorded.
    public var step: Int
    /// Steps that it is to make; nil if unknown.
    public var steps: Int?
    /// Nanoseconds since 1970. For a log without times, the time at which its file had changed when it was first read.
    public var created: Int64
    /// When the run began; nil for a log of another program that does not record it.
    public var started: Int64?
    public var changed: Int64
    /// The moment from which relative time counts: the run's start, or its first point where no start is
    /// recorded.
    public var origin: Int64
    public var parameters: Int
    /// Tokens or examples of one step; 0 if unknown.
    public var batch: Int
    /// `tokens`, `examples`; empty if unknown.
    public var unit: String
    public var flopsPerStep: Double
    public var threads: Int
    /// The folder of the checkpoints.
    public var folder: String?
    /// The last thing that was said of it, a sentence; empty if nothing was.
    public var note: String
    /// The last value of the main curves; of the first few curves where it has none of the main ones.
    public var last: [SeriesValue]

    /// The last value of a curve, if it is one of those above.
    public func last(_ series: String) -> Double? { last.first { $0.series == series }?.value }

    /// Whether the run is read from files of another program.
    public var isForeign: Bool { source != nil }
}

/// One number of a curve.
public struct SeriesValue: Sendable, Equatable, JSONRepresentable {
    public var series: String
    public var step: Int
    public var value: Double

    public init(series: String, step: Int, value: Double) {
        self.series = series
        self.step = step
        self.value = value
    }

    /// Compares values by their bits, so that a run with a NaN equals itself and is not read again as if it had changed.
    public static func == (one: SeriesValue, other: SeriesValue) -> Bool {
        one.series == other.series && one.step == other.step && one.value.bitPattern == other.value.bitPattern
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("series", series)
            json.member("step", step)
            json.member("value") { $0.measure(value) }
        }
    }
}

/// A curve of a run, without its points.
public struct SeriesSummary: Sendable, Equatable, JSONRepresentable {
    public var name: String
    public var count: Int
    public var last: SeriesValue

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("count", count)
            json.member("step", last.step)
            json.member("value") { $0.measure(last.value) }
        }
    }
}

extension RunSummary: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("name", name)
            json.member("source", ifPresent: source)
            json.member("format", ifPresent: format)
            json.member("state", state.word)
            json.member("step", step)
            json.member("steps", ifPresent: steps)
            json.member("created", created)
            json.member("started", ifPresent: started)
            json.member("changed", changed)
            json.member("parameters", parameters)
            json.member("batch", batch)
            json.member("unit", unit)
            json.member("flops_per_step", flopsPerStep)
            json.member("threads", threads)
            json.member("folder", ifPresent: folder)
            json.member("note", note)
            json.member("last", last)
        }
    }
}

extension JSONWriter {
    /// Writes a number; one that JSON does not have as the word by which Python and JavaScript know it.
    mutating func measure(_ value: Double) {
        if value.isFinite { number(value) } else { string(NumberWord.text(value)) }
    }
}

/// NaN and infinity, as words.
enum NumberWord {
    static func text(_ value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }

    static func value(_ text: String) -> Double? {
        switch text {
        case "NaN", "nan": .nan
        case "Infinity", "inf", "+Infinity": .infinity
        case "-Infinity", "-inf": -.infinity
        default: nil
        }
    }
}
