internal import JSON

/// The arguments of one call.
public struct ToolArguments: Hashable, Sendable {
    public let members: [String: ArgumentValue]

    /// Maximum number of bytes of JSON.
    static let maximumBytes = 64 << 10
    /// How deep arrays and objects may be nested.
    static let maximumDepth = 32

    public init(_ members: [String: ArgumentValue] = [:]) { self.members = members }

    /// Reads arguments as a model writes them; an empty text means no arguments.
    ///
    /// - Throws: An error for what is no JSON object, too long or too deep, or has a key twice.
    public init(json text: String) throws(ToolError) {
        if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
            self.init()
            return
        }
        let value = try Self.value(of: text, called: "the arguments are")
        guard case .object(let members) = value else {
            throw ToolError("the arguments are \(value.kindName), and must be an object")
        }
        self.init(members)
    }

    /// The value of a JSON text within the limits.
    ///
    /// - Parameter subject: Start of error sentences, such as `the action is`.
    static func value(of text: String, called subject: String) throws(ToolError) -> ArgumentValue {
        guard text.utf8.count <= maximumBytes else {
            throw ToolError("\(subject) longer than \(maximumBytes / 1024) KiB")
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: text, maximumDepth: maximumDepth)
        } catch {
            throw ToolError(
                error.problem == .tooDeep
                    ? "\(subject) nested deeper than \(maximumDepth)" : "\(subject) not JSON")
        }
        return try document.withRoot { (root) throws(ToolError) in try ArgumentValue(root) }
    }

    /// The text of an argument.
    ///
    /// - Throws: `ToolError` if it is missing or not a string.
    public func string(_ name: String) throws(ToolError) -> String {
        guard case .string(let text)? = members[name] else {
            throw ToolError("the argument \"\(name)\" must be a string")
        }
        return text
    }

    /// The words and numbers of all values, without keys.
    var text: String { ArgumentValue.object(members).text }

    /// The same for equal arguments, however they were written.
    public var canonical: String { members.json() }
}
