/// The questions that the terminal is asked behind the first frame: its background, and whether it draws frames whole.
///
/// Nobody waits for the answers. The last question is one that every terminal answers, so that its answer says that
/// the others will not be answered any more.
struct Queries {
    /// How long an answer may take over a slow line, in milliseconds; after that none is expected.
    static let patience: Int64 = 2_000

    private let text: String
    private var askedAt: Int64?
    private var isClosed = false

    init(isAsked: Bool, wantsMode: Bool) {
        text = isAsked ? "\u{1B}]11;?\u{1B}\\" + (wantsMode ? "\u{1B}[?2026$p" : "") + "\u{1B}[c" : ""
        isClosed = !isAsked
    }

    /// What is to be sent now: once, after that nothing.
    mutating func take(at time: Int64) -> String? {
        guard askedAt == nil, !isClosed else { return nil }
        askedAt = time
        return text
    }

    mutating func close() { isClosed = true }

    func areOpen(at time: Int64) -> Bool {
        guard let askedAt, !isClosed else { return false }
        return time - askedAt < Self.patience
    }
}
