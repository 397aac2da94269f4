/// The queries sent after the first frame: the background color, and support for synchronized output.
///
/// Drawing does not wait for the replies. Every terminal replies to the last query, so the reply to that query means
/// that no more replies will follow.
struct Queries {
    /// Time limit for replies over a slow connection, in milliseconds.
    static let timeLimit: Int64 = 2_000

    private let text: String
    private var askedAt: Int64?
    private var isClosed = false

    init(isAsked: Bool, wantsMode: Bool) {
        text = isAsked ? "\u{1B}]11;?\u{1B}\\" + (wantsMode ? "\u{1B}[?2026$p" : "") + "\u{1B}[c" : ""
        isClosed = !isAsked
    }

    /// Returns the queries on the first call, and `nil` afterward.
    mutating func take(at time: Int64) -> String? {
        guard askedAt == nil, !isClosed else { return nil }
        askedAt = time
        return text
    }

    mutating func close() { isClosed = true }

    func areOpen(at time: Int64) -> Bool {
        guard let askedAt, !isClosed else { return false }
        return time - askedAt < Self.timeLimit
    }
}
