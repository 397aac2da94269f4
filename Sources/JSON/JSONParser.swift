internal import CJSON

/// A reusable parser: bytes in, a tree of views out, nothing copied.
///
/// It validates the whole text (grammar, UTF-8, control characters), but unescapes strings and converts numbers only
/// when a node is asked for them. A wrong escape such as `\q` or a lone surrogate is no error: it reads as U+FFFD.
/// ```swift
/// let parser = JSONParser()
/// let tokens = try parser.parse(line) { record in
///     record["message"]?["usage"]?["input_tokens"]?.int
/// }
/// ```
/// One parser serves one thread; it keeps its memory from one text to the next.
public final class JSONParser {
    private let parser: OpaquePointer?

    /// A parser with limits that keep hostile text from taking all memory.
    ///
    /// - Parameters:
    ///   - maximumDepth: objects and arrays may be nested so deep, a million at most.
    ///   - maximumValues: keys and values of one text, 16 bytes of memory each.
    public init(maximumDepth: Int = 1024, maximumValues: Int = 1 << 24) {
        parser = orrery_json_parser_create(UInt32(min(max(maximumDepth, 0), 1 << 20)), UInt32(clamping: maximumValues))
    }

    deinit { orrery_json_parser_destroy(parser) }

    /// Parses one value, which white space and a byte-order mark may surround.
    ///
    /// - Returns: the value. It points into `bytes` and into this parser: it is valid until the next parse, and as
    ///   long as both live. O(n).
    public func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONNode {
        let result = try run(bytes)
        return JSONNode(bytes: bytes.baseAddress!, entry: UnsafeRawPointer(result.tape!))
    }

    /// Parses one value and hands it to `body`, outside of which it is not valid.
    public func parse<R>(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (JSONNode) throws -> R) throws -> R {
        try withExtendedLifetime(self) { try body(parse(bytes)) }
    }

    /// Parses one value and hands it to `body`, outside of which it is not valid.
    public func parse<R>(_ bytes: [UInt8], _ body: (JSONNode) throws -> R) throws -> R {
        try bytes.withUnsafeBufferPointer { try parse($0, body) }
    }

    /// Parses one value and hands it to `body`, outside of which it is not valid.
    public func parse<R>(_ text: String, _ body: (JSONNode) throws -> R) throws -> R {
        var text = text
        return try text.withUTF8 { try parse($0, body) }
    }

    private func run(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> orrery_json_result {
        guard let parser else { throw JSONError(offset: 0, problem: .outOfMemory) }
        guard let base = bytes.baseAddress else { throw JSONError(offset: 0, problem: .empty) }
        let result = orrery_json_parse(parser, base, bytes.count)
        if result.problem == ORRERY_JSON_OK.rawValue { return result }
        throw JSONError(offset: result.offset, problem: JSONError.Problem(rawValue: result.problem) ?? .expectedValue)
    }

    /// Parses for a document that keeps the tape: its memory is cut to what it needs.
    func parseToKeep(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONNode {
        let result = orrery_json_parser_trim(parser, try run(bytes))
        return JSONNode(bytes: bytes.baseAddress!, entry: UnsafeRawPointer(result.tape!))
    }
}

@available(*, unavailable, message: "A parser reuses its tape: give each task its own.")
extension JSONParser: Sendable {}

extension JSONParser {
    /// The instructions that a parser's first stage is made of.
    package enum Variant: UInt32, CaseIterable {
        case scalar, avx2, avx512
    }

    /// Chooses the variant; false if this processor does not have it.
    package func use(_ variant: Variant) -> Bool {
        orrery_json_parser_use(parser, orrery_json_variant(rawValue: variant.rawValue))
    }

    /// How often a fast variant refused what the scalar one accepted; anything but 0 is a defect.
    package var disagreements: UInt64 { orrery_json_parser_disagreements(parser) }
}
