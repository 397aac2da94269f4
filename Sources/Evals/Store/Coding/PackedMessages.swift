internal import LanguageModels

// Messages, requests and answers as bytes.

extension Message: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(tag: role.rawValue)
        writer.write(parts)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        guard let role = Role(rawValue: try reader.tag()) else { throw PackedReader.Damage() }
        self.init(role, try reader.array())
    }
}

extension Message.Part: Packed {
    package func pack(into writer: inout PackedWriter) {
        switch self {
        case .text(let text):
            writer.write(tag: 0)
            writer.write(text)
        case .reasoning(let text):
            writer.write(tag: 1)
            writer.write(text)
        case .toolCall(let call):
            writer.write(tag: 2)
            writer.write(call)
        case .toolResult(let result):
            writer.write(tag: 3)
            writer.write(result)
        case .attachment(let file):
            writer.write(tag: 4)
            writer.write(file.mediaType)
            writer.write(file.location)
            writer.write(file.byteCount)
        case .other(let type, let json):
            writer.write(tag: 5)
            writer.write(type)
            writer.write(json)
        }
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        switch try reader.tag() {
        case 0: self = .text(try reader.text())
        case 1: self = .reasoning(try reader.text())
        case 2: self = .toolCall(try reader.value())
        case 3: self = .toolResult(try reader.value())
        case 4:
            self = .attachment(
                Attachment(
                    mediaType: try reader.text(), location: try reader.optional(), byteCount: try reader.int()))
        case 5: self = .other(type: try reader.text(), json: try reader.text())
        default: throw PackedReader.Damage()
        }
    }
}

extension ToolCall: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(id)
        writer.write(name)
        writer.write(arguments)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(id: try reader.text(), name: try reader.text(), arguments: try reader.text())
    }
}

extension ToolResult: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(callID)
        writer.write(content)
        writer.write(isError)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(callID: try reader.text(), content: try reader.text(), isError: try reader.bool())
    }
}

extension ToolDefinition: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(name)
        writer.write(description)
        writer.write(parameters)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(name: try reader.text(), description: try reader.text(), parameters: try reader.text())
    }
}

extension Usage: Packed {
    package func pack(into writer: inout PackedWriter) {
        for count in [input, cacheRead, cacheWrite, output, reasoning] { writer.write(count) }
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            input: try reader.int(), cacheRead: try reader.int(), cacheWrite: try reader.int(),
            output: try reader.int(), reasoning: try reader.int())
    }
}

extension ModelResponse: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(message)
        switch finish {
        case .stop: writer.write(tag: 0)
        case .length: writer.write(tag: 1)
        case .toolCalls: writer.write(tag: 2)
        case .cancelled: writer.write(tag: 3)
        case .other(let word):
            writer.write(tag: 4)
            writer.write(word)
        }
        writer.write(usage)
        writer.write(model)
        writer.write(secondsToFirstToken)
        writer.write(seconds)
        writer.write(retries)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        let message: Message = try reader.value()
        let finish: FinishReason
        switch try reader.tag() {
        case 0: finish = .stop
        case 1: finish = .length
        case 2: finish = .toolCalls
        case 3: finish = .cancelled
        case 4: finish = .other(try reader.text())
        default: throw PackedReader.Damage()
        }
        self.init(
            message: message, finish: finish, usage: try reader.optional(), model: try reader.text(),
            secondsToFirstToken: try reader.optional(), seconds: try reader.double(), retries: try reader.int())
    }
}
