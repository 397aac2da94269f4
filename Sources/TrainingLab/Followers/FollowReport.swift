public import JSON

/// What one look at the files of others brought.
public struct FollowReport: Sendable, Equatable, JSONRepresentable {
    /// Rows of the runs that were found, new or known.
    public internal(set) var runs: [Int64] = []
    /// Points that are new in the workspace.
    public internal(set) var points = 0
    /// Bytes that were read.
    public internal(set) var bytes = 0
    /// What was damaged or left out, a sentence each.
    public internal(set) var notes: [String] = []

    public init() {}

    /// What happened, as one sentence.
    public var sentence: String {
        let names = runs.count == 1 ? "1 run" : "\(runs.count) runs"
        return points == 0 ? "No new points in \(names)." : "\(points) new points in \(names)."
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("runs", runs)
            json.member("points", points)
            json.member("bytes", bytes)
            json.member("notes", notes)
        }
    }
}
