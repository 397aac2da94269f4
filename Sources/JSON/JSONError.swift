internal import CJSON

/// Why a text is not JSON, and where.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong at the offset.
    public enum Problem: UInt32, Sendable, CaseIterable {
        /// There is nothing but white space.
        case empty = 1
        /// The text is longer than 512 MiB.
        case tooLarge
        /// Containers are nested deeper than the parser allows.
        case tooDeep
        /// The tape did not fit into memory.
        case outOfMemory
        /// The text ends inside a container.
        case unexpectedEnd
        /// The text ends inside a string.
        case unterminatedString
        /// A string holds a byte below 0x20 that should have been escaped.
        case controlCharacter
        /// The bytes are not UTF-8.
        case invalidUTF8
        /// Something that begins no value stands where a value should.
        case expectedValue
        /// An object's member does not begin with a string.
        case expectedKey
        /// A key is not followed by a colon.
        case expectedColon
        /// A member is followed by neither a comma nor the object's end.
        case expectedCommaOrBrace
        /// An element is followed by neither a comma nor the array's end.
        case expectedCommaOrBracket
        /// A word is none of `true`, `false` and `null`.
        case invalidLiteral
        /// A number breaks JSON's grammar.
        case invalidNumber
        /// Something follows the value.
        case trailingText
        /// The text holds more values than the parser allows.
        case tooManyValues
    }

    /// Offset of the offending byte from the start of the parsed bytes; their length if they end too early.
    public var offset: Int
    /// What is wrong there.
    public var problem: Problem

    /// An error at an offset.
    public init(offset: Int, problem: Problem) {
        self.offset = offset
        self.problem = problem
    }

    /// What is wrong and where, as one sentence that shows nothing of the text itself.
    public var sentence: String { "Byte \(offset): \(problem.sentence)" }
}

extension JSONError.Problem {
    /// What is wrong, as a sentence without its place.
    public var sentence: String {
        switch self {
        case .empty: "there is no JSON value here."
        case .tooLarge: "a JSON text may be at most 512 MiB long."
        case .tooDeep: "objects and arrays are nested too deeply."
        case .outOfMemory: "there is not enough memory for this JSON text."
        case .unexpectedEnd: "the text ends in the middle of an object or array."
        case .unterminatedString: "the text ends in the middle of a string."
        case .controlCharacter: "a control character in a string must be escaped."
        case .invalidUTF8: "the bytes are not UTF-8."
        case .expectedValue: "a value should begin here."
        case .expectedKey: "a key in double quotes should begin here."
        case .expectedColon: "a colon should follow the key."
        case .expectedCommaOrBrace: "a comma or a closing brace should follow the member."
        case .expectedCommaOrBracket: "a comma or a closing bracket should follow the element."
        case .invalidLiteral: "a word must be true, false or null."
        case .invalidNumber: "this is not a JSON number."
        case .trailingText: "something follows the value."
        case .tooManyValues: "the text holds too many values."
        }
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String { sentence }
}
