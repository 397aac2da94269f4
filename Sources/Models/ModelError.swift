internal import Glibc
package import Tensors

/// Why a model cannot be opened or run: the file, the place in it, and what to do.
public struct ModelError: Error, Equatable, CustomStringConvertible {
    /// The file, or the model's name where no file is at fault.
    public var subject: String
    /// Byte offset in the file; `nil` if the error has no single position.
    public var offset: Int?
    /// Problem, without a final period.
    public var problem: String
    /// Remedy as a complete sentence; empty if there is none.
    public var remedy: String

    public init(_ subject: String, offset: Int? = nil, problem: String, remedy: String = "") {
        self.subject = subject
        self.offset = offset
        self.problem = problem
        self.remedy = remedy
    }

    /// The whole sentence, with control characters of the file's own names made visible.
    public var sentence: String {
        let text = "\(place): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)")
        return String(String.UnicodeScalarView(text.unicodeScalars.map { Self.isHostile($0) ? "\u{FFFD}" : $0 }))
    }
    public var description: String { sentence }

    private var place: String { subject + (offset.map { ", byte \($0)" } ?? "") }

    /// Names in a file are foreign: what could steer a terminal is shown, never sent.
    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension ModelError {
    /// What the system said of a file.
    static func system(_ action: String, _ path: String, remedy: String = "Check the path and its permissions.") -> Self
    {
        let reason = errno == ENOSPC ? "the disk is full" : String(cString: strerror(errno))
        let remedy = errno == ENOSPC ? "Free disk space, or write to another disk." : remedy
        return Self(path, problem: "cannot \(action): \(reason)", remedy: remedy)
    }

    /// A tensor file's sentence, told as a model's.
    package init(_ error: TensorFileError) {
        self.init(error.file, offset: error.offset, problem: "")
        let told = error.sentence.unicodeScalars.dropFirst(place.unicodeScalars.count + 2)
        problem = String(String.UnicodeScalarView(told.last == "." ? told.dropLast() : told))
    }
}
