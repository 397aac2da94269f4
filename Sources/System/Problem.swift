/// The error type of all modules: what happened, where, and what to do about it.
///
/// A module that must distinguish conditions in code also has a small enumeration; everything else throws a `Problem`.
///
/// ```swift
/// throw Problem(.unknown, "config.toml:12", "unknown key \"colour\" in [theme]", remedy: "Did you mean \"color\"?")
/// // config.toml:12: unknown key "colour" in [theme]. Did you mean "color"?
/// ```
public struct Problem: Error, Hashable, Sendable {
    /// Kinds of errors, for code that reacts to them.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A requested item does not exist.
        case missing
        /// A name that is not recognized, often a typo.
        case unknown
        /// A valid format, version, or option that this build cannot handle.
        case unsupported
        /// Input that breaks a rule, such as a value out of range.
        case invalid
        /// Stored data that is damaged or truncated.
        case corrupt
        /// A size, time, or cost limit.
        case limit
        /// A file or other resource that another process or task is using.
        case busy
        /// The user or the program canceled the work.
        case cancelled
        /// The system or a setting denies access.
        case denied
        /// Any other failure.
        case failed
    }

    /// Kind of error.
    public var kind: Kind
    /// The thing at fault and its location, such as "config.toml:12"; empty if `what` names it.
    public var subject: String
    /// Description of what happened, without a period at the end.
    public var what: String
    /// Remedy for the user, as one or more complete sentences; `nil` if there is none.
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
        let place = [file, line.map { "line \($0)" } ?? ""].filter { !$0.isEmpty }
        self.init(kind, place.joined(separator: ", "), what, remedy: remedy)
    }

    /// Creates a problem from an error: the error itself if it is a `Problem`, or a failure of `subject`.
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

    /// Returns the error with an enclosing location before its subject: "corpus northfold, page 3: ...".
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
