/// What went wrong, where, and what to do about it: the error type of all modules.
///
/// A module that must distinguish conditions in code also has a small enumeration; everything else throws a `Problem`.
///
/// ```swift
/// throw Problem(.unknown, "config.toml:12", "unknown key \"colour\" in [theme]", remedy: "Did you mean \"color\"?")
/// // config.toml:12: unknown key "colour" in [theme]. Did you mean "color"?
/// ```
public struct Problem: Error, Hashable, Sendable {
    /// What kind of error this is, for code that reacts to it.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Something that was asked for does not exist.
        case missing
        /// A name that nothing has, often a typing error.
        case unknown
        /// A valid format, version, or option that this build cannot handle.
        case unsupported
        /// Input that breaks a rule, such as a value out of range.
        case invalid
        /// Stored data that is damaged or truncated.
        case corrupt
        /// A size, time, or cost limit.
        case limit
        /// Something is in use by another process or task.
        case busy
        /// The user or the program cancelled the work.
        case cancelled
        /// The system or a setting denies access.
        case denied
        /// Any other failure.
        case failed
    }

    /// Kind of error.
    public var kind: Kind
    /// The thing at fault with its place, such as "config.toml:12"; empty if `what` names it.
    public var subject: String
    /// What happened, without a final period.
    public var what: String
    /// What the user can do, as one or more complete sentences.
    public var remedy: String?

    /// Creates an error from its parts.
    public init(_ kind: Kind, _ subject: String, _ what: String, remedy: String? = nil) {
        self.kind = kind
        self.subject = subject
        self.what = what
        self.remedy = remedy
    }

    /// Returns the error of work that was canceled before it was complete.
    public static func cancelled(_ subject: String = "") -> Problem {
        Problem(.cancelled, subject, "the operation was canceled")
    }

    /// Creates an error of a line of a file, starting at 1: "sums.toml, line 12: ...".
    public init(_ kind: Kind, _ file: String, line: Int?, _ what: String, remedy: String? = nil) {
        self.init(kind, line.map { "\(file), line \($0)" } ?? file, what, remedy: remedy)
    }

    /// Returns the error itself if it is a `Problem`; describes any other error as a failure of `subject`.
    public init(_ error: any Error, in subject: String) {
        self = error as? Problem ?? Problem(.failed, subject, "\(error)")
    }

    /// Message for the user: subject, what happened, and what to do.
    public var sentence: String {
        let start = subject.isEmpty ? what : "\(subject): \(what)"
        let end = Self.ending.contains(start.last ?? " ") ? "" : "."
        guard let remedy, !remedy.isEmpty else { return start + end }
        return "\(start)\(end) \(remedy)"
    }

    /// Returns the error with a larger place before its subject: "corpus northfold, page 3: ...".
    public func `in`(_ place: String) -> Problem {
        var problem = self
        problem.subject = subject.isEmpty ? place : "\(place), \(subject)"
        return problem
    }

    private static let ending: Set<Character> = [".", "?", "!", "…"]
}

extension Problem: CustomStringConvertible {
    public var description: String { sentence }
}
