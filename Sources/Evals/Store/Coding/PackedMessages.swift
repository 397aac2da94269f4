package import Bytes
internal import LanguageModels

// Messages and responses as bytes.

extension Role: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(rawValue) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        guard let role = Role(rawValue: try reader.next()) else { throw reader.failure("unknown role") }
        self = role
    }
}

extension Message: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(role, parts) }
    package init(from reader: inout ByteReader) throws(ByteDamage) { self.init(try reader.next(), try reader.next()) }
}

extension Message.Part: Packed {
    package func pack(into writer: inout PackedWriter) {
        switch self {
        case .text(let text): writer.write(UInt8(0), text)
        case .reasoning(let text): writer.write(UInt8(1), text)
        case .toolCall(let call): writer.write(UInt8(2), call)
        case .toolResult(let result): writer.write(UInt8(3), result)
        case .attachment(let file): writer.write(UInt8(4), file.mediaType, file.location, file.byteCount)
        case .other(let type, let json): writer.write(UInt8(5), type, json)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        switch try reader.next(UInt8.self) {
        case 0: self = .text(try reader.next())
        case 1: self = .reasoning(try reader.next())
        case 2: self = .toolCall(try reader.next())
        case 3: self = .toolResult(try reader.next())
        case 4:
            self = .attachment(
                .init(mediaType: try reader.next(), location: try reader.next(), byteCount: try reader.next()))
        case 5: self = .other(type: try reader.next(), json: try reader.next())
        case let tag: throw reader.failure("unknown kind \(tag) of message part")
        }
    }
}

extension ToolCall: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(id, name, arguments) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(id: try reader.next(), name: try reader.next(), arguments: try reader.next())
    }
}

extension ToolResult: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(callID, content, isError) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(callID: try reader.next(), content: try reader.next(), isError: try reader.next())
    }
}

extension ToolDefinition: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(name, description, parameters) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(name: try reader.next(), description: try reader.next(), parameters: try reader.next())
    }
}

extension Usage: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(input, cacheRead, cacheWrite, output, reasoning) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            input: try reader.next(), cacheRead: try reader.next(), cacheWrite: try reader.next(),
            output: try reader.next(), reasoning: try reader.next())
    }
}

extension ModelResponse.FinishReason: Packed {
    private static let plain = [Self.stop, .length, .toolCalls, .cancelled]

    package func pack(into writer: inout PackedWriter) {
        if case .other(let word) = self { return writer.write(UInt8(Self.plain.count), word) }
        writer.write(UInt8(Self.plain.firstIndex(of: self) ?? 0))
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        switch Int(try reader.next(UInt8.self)) {
        case Self.plain.count: self = .other(try reader.next())
        case let tag where tag < Self.plain.count: self = Self.plain[tag]
        case let tag: throw reader.failure("unknown reason \(tag) to finish")
        }
    }
}

extension ModelResponse: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(message, finish, usage, model, secondsToFirstToken, seconds, retries)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            message: try reader.next(), finish: try reader.next(), usage: try reader.next(), model: try reader.next(),
            secondsToFirstToken: try reader.next(), seconds: try reader.next(), retries: try reader.next())
    }
}
