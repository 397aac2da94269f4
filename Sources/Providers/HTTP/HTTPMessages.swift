/// One HTTP request.
package struct HTTPRequest: Sendable {
    package var url: String
    /// Names and values; they must hold no line ends.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// `PUT`, `DELETE`; nil sends a GET without a body, a POST with one.
    package var method: String?

    package init(
        url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, method: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// Status and header lines of an answer.
package struct HTTPHead: Sendable {
    package var status: Int
    private var fields: [(name: String, value: String)] = []

    /// Reads the lines as they came: status line first, an empty line last.
    init(status: Int, lines: UnsafeBufferPointer<UInt8>) {
        self.status = status
        for line in lines.split(separator: UInt8(ascii: "\n")).dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let rest = line[line.index(after: colon)...]
            let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
            let value = rest.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            fields.append((name, String(decoding: Array(value), as: UTF8.self)))
        }
    }

    /// The value of the first line with this name, which is written in small letters.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The media type without its parameters, in small letters.
    package var mediaType: String {
        (self["content-type"] ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
    }
}

/// What is borne of the other side.
package struct HTTPLimits: Hashable, Sendable {
    /// All header lines together, in bytes.
    package var headers: Int
    /// The whole body, in bytes.
    package var body: Int
    /// One line of a stream, in bytes.
    package var line: Int
    /// Bytes that wait to be read before the sender is made to wait.
    package var buffer: Int

    package init(
        headers: Int = 64 << 10, body: Int = 256 << 20, line: Int = 8 << 20, buffer: Int = 256 << 10
    ) {
        self.headers = headers
        self.body = body
        self.line = line
        self.buffer = buffer
    }
}

/// Why an exchange came to nothing, or to only a part.
package enum HTTPFailure: Error, Equatable {
    case cancelled
    /// libcurl is missing: the sentence says so.
    case unavailable(String)
    case noConnection(String)
    case connectTimeout
    case firstByteTimeout
    case idleTimeout
    case totalTimeout
    case notTrusted(String)
    /// `afterHead`: the answer had begun.
    case broken(String, afterHead: Bool)
    case notHTTP
    case headersTooLarge
    case bodyTooLarge
    /// It is compressed, which was not asked for.
    case encoded(String)
    case outOfMemory
    case refusedAddress(String)
}
