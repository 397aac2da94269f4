internal import CJSON

/// An error for text that is not valid JSON, with its position.
public struct JSONError: Error, Equatable, Sendable {
    /// Kinds of errors.
    public enum Problem: UInt32, Sendable, CaseIterable {
        /// The text has only white space.
        case empty = 1
        /// The text is longer than 512 MiB.
        case tooLarge
        /// Objects and arrays are nested deeper than the parser allows.
        case tooDeep
        /// There is not enough memory for the tape.
        case outOfMemory
        /// The text ends inside an object or array.
        case unexpectedEnd
        /// The text ends inside a string.
        case unterminatedString
        /// A string contains an unescaped byte below 0x20.
        case controlCharacter
        /// The bytes are not UTF-8.
        case invalidUTF8
        /// A value is expected, but the byte cannot start one.
        case expectedValue
        /// A member of an object does not start with a string.
        case expectedKey
        /// A key is not followed by a colon.
        case expectedColon
        /// A member is followed by neither a comma nor a closing brace.
        case expectedCommaOrBrace
        /// An element is followed by neither a comma nor a closing bracket.
        case expectedCommaOrBracket
        /// A word is not `true`, `false`, or `null`.
        case invalidLiteral
        /// A number does not follow JSON's grammar.
        case invalidNumber
        /// There is text after the value.
        case trailingText
        /// The text has more values than the parser allows.
        case tooManyValues
    }

    /// Offset of the invalid byte from the start of the parsed bytes; the length of the bytes if they end too early.
    public var offset: Int
    /// Kind of error.
    public var problem: Problem

    /// Creates an error at an offset.
    public init(offset: Int, problem: Problem) {
        self.offset = offset
        self.problem = problem
    }

    /// Message with the position and the problem; it never quotes the text.
    public var sentence: String { "Byte \(offset): \(problem.sentence)" }
}

extension JSONError.Problem {
    /// Message without the position.
    public var sentence: String {
        switch self {
        case .empty: "missing JSON value."
        case .tooLarge: "the JSON text exceeds the limit of 512 MiB."
        case .tooDeep: "objects and arrays are nested too deeply."
        case .outOfMemory: "not enough memory for the JSON text."
        case .unexpectedEnd: "the text ends in the middle of an object or array."
        case .unterminatedString: "the text ends in the middle of a string."
        case .controlCharacter: "a control character in a string must be escaped."
        case .invalidUTF8: "the bytes are not UTF-8."
        case .expectedValue: "expected a value."
        case .expectedKey: "expected a key in double quotes."
        case .expectedColon: "expected a colon after the key."
        case .expectedCommaOrBrace: "expected a comma or a closing brace after the member."
        case .expectedCommaOrBracket: "expected a comma or a closing bracket after the element."
        case .invalidLiteral: "expected true, false, or null."
        case .invalidNumber: "invalid number."
        case .trailingText: "unexpected text after the value."
        case .tooManyValues: "the text has too many values."
        }
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String { sentence }
}
