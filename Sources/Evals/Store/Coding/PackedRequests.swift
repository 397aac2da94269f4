package import Bytes
internal import JSON
internal import LanguageModels

// Requests as bytes.

extension Sampling: Packed {
    /// Tag of the settings outside the standard fields, which precede the first field.
    ///
    /// Older records start with the first field's flag, 0 or 1, so the tag must be a different value.
    private static let extrasTag: UInt8 = 2

    package func pack(into writer: inout PackedWriter) {
        if !extras.isEmpty {
            writer.write(Self.extrasTag, Dictionary(uniqueKeysWithValues: extras.map { ($0.key.name, $0.value) }))
        }
        for field in SamplingField.standard {
            switch field.storage {
            case .number(let path): writer.write(self[keyPath: path])
            case .count(let path): writer.write(self[keyPath: path])
            case .extra: continue
            }
        }
        writer.write(bias, stop, seed, maximumTokens)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init()
        if reader.remaining > 0, reader.bytes[reader.offset] == Self.extrasTag {
            _ = try reader.next(UInt8.self)
            for (name, value) in try reader.next([String: Double].self) { extras[SamplingField(named: name)] = value }
        }
        for field in SamplingField.standard {
            switch field.storage {
            case .number(let path): self[keyPath: path] = try reader.next()
            case .count(let path): self[keyPath: path] = try reader.next()
            case .extra: continue
            }
        }
        bias = try reader.next()
        stop = try reader.next()
        seed = try reader.next()
        maximumTokens = try reader.next()
    }
}

extension ModelRequest.Input: Packed {
    package func pack(into writer: inout PackedWriter) {
        switch self {
        case .messages(let messages, let tools): writer.write(UInt8(0), messages, tools)
        case .text(let text): writer.write(UInt8(1), text)
        case .tokens(let tokens): writer.write(UInt8(2), tokens)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        switch try reader.next(UInt8.self) {
        case 0: self = .messages(try reader.next(), tools: try reader.next())
        case 1: self = .text(try reader.next())
        case 2: self = .tokens(try reader.next())
        case let tag: throw reader.failure("unknown kind \(tag) of input")
        }
    }
}

extension ModelRequest: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(input, sampling, alternatives, generatedTokens, templateVariables)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            try reader.next(), sampling: try reader.next(), alternatives: try reader.next(),
            generatedTokens: try reader.next(), templateVariables: try reader.next())
    }
}

extension EvalRequest {
    /// Writes the request for a key or a digest; it is never read back.
    package func pack(into writer: inout PackedWriter) {
        switch self {
        case .generation(let request): writer.write(UInt8(0), request)
        case .likelihood(let context, let continuation): writer.write(UInt8(1), [context, continuation])
        case .rolling(let text): writer.write(UInt8(2), text)
        case .choice(let context, let continuations, let alone): writer.write(UInt8(3), context, continuations, alone)
        case .turns(let system, let user, let sampling): writer.write(UInt8(4), system, user, sampling)
        case .retrieval(let question):
            writer.write(
                UInt8(5), [question.question, question.corpus], question.pipeline, question.depth, question.prompt,
                question.sampling)
        case .agent(let question):
            writer.write(
                UInt8(6), question.question, question.documents, question.tools,
                question.facts.flatMap { [$0.key, $0.value] }, question.maximumSteps, question.sampling)
        case .program(let value): writer.write(UInt8(7), value.json())
        case .recorded(let record): writer.write(UInt8(8), [record.question, record.answer], record.confidence)
        }
    }
}
