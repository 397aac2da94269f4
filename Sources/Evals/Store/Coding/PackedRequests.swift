internal import JSON
internal import LanguageModels

// Requests as bytes. Members of dictionaries are sorted by key, so that equal requests have equal bytes.

extension Sampling: Packed {
    /// Tag of the settings outside the standard fields, which precede the first field.
    ///
    /// Older records start with the first field's flag, 0 or 1, so the tag must be a different value.
    private static let extrasTag: UInt8 = 2

    package func pack(into writer: inout PackedWriter) {
        if !extras.isEmpty {
            writer.write(tag: Self.extrasTag)
            writer.write(unsigned: UInt64(extras.count))
            for field in extraFields {
                writer.write(field.name)
                writer.write(extras[field] ?? 0)
            }
        }
        for field in SamplingField.standard {
            switch field.storage {
            case .number(let path): writer.write(self[keyPath: path])
            case .count(let path): writer.write(self[keyPath: path])
            case .extra: continue
            }
        }
        writer.write(unsigned: UInt64(bias.count))
        for (id, value) in bias.sorted(by: { $0.key < $1.key }) {
            writer.write(id)
            writer.write(value)
        }
        writer.write(stop)
        writer.write(seed)
        writer.write(maximumTokens)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init()
        var hasValue = try reader.tag()
        if hasValue == Self.extrasTag {
            for _ in 0..<(try reader.unsigned()) {
                extras[SamplingField(named: try reader.text())] = try reader.double()
            }
            hasValue = try reader.tag()
        }
        for field in SamplingField.standard {
            guard hasValue <= 1 else { throw PackedReader.Damage() }
            if hasValue == 1 {
                switch field.storage {
                case .number(let path): self[keyPath: path] = try reader.double()
                case .count(let path): self[keyPath: path] = try reader.int()
                case .extra: break
                }
            }
            if field != SamplingField.standard.last { hasValue = try reader.tag() }
        }
        for _ in 0..<(try reader.unsigned()) { bias[try reader.int()] = try reader.double() }
        stop = try reader.array()
        seed = try reader.optional()
        maximumTokens = try reader.optional()
    }
}

extension ModelRequest: Packed {
    package func pack(into writer: inout PackedWriter) {
        switch input {
        case .messages(let messages, let tools):
            writer.write(tag: 0)
            writer.write(messages)
            writer.write(tools)
        case .text(let text):
            writer.write(tag: 1)
            writer.write(text)
        case .tokens(let tokens):
            writer.write(tag: 2)
            writer.write(tokens)
        }
        writer.write(sampling)
        writer.write(alternatives)
        writer.write(generatedTokens)
        writer.write(unsigned: UInt64(templateVariables.count))
        for (name, value) in templateVariables.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            writer.write(value)
        }
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        let input: Input
        switch try reader.tag() {
        case 0: input = .messages(try reader.array(), tools: try reader.array())
        case 1: input = .text(try reader.text())
        case 2: input = .tokens(try reader.array())
        default: throw PackedReader.Damage()
        }
        self.init(
            input, sampling: try reader.value(), alternatives: try reader.int(), generatedTokens: try reader.int())
        for _ in 0..<(try reader.unsigned()) { templateVariables[try reader.text()] = try reader.text() }
    }
}

extension EvalRequest {
    /// Writes the request for a key or a digest; it is never read back.
    func pack(into writer: inout PackedWriter) {
        switch self {
        case .generation(let request):
            writer.write(tag: 0)
            writer.write(request)
        case .likelihood(let context, let continuation):
            writer.write(tag: 1)
            writer.write([context, continuation])
        case .rolling(let text):
            writer.write(tag: 2)
            writer.write(text)
        case .choice(let context, let continuations, let alone):
            writer.write(tag: 3)
            writer.write(context)
            writer.write(continuations)
            writer.write(alone)
        case .turns(let system, let user, let sampling):
            writer.write(tag: 4)
            writer.write(system)
            writer.write(user)
            writer.write(sampling)
        case .retrieval(let question):
            writer.write(tag: 5)
            writer.write([question.question, question.corpus])
            writer.write(question.pipeline)
            writer.write(question.depth)
            writer.write(question.prompt)
            writer.write(question.sampling)
        case .agent(let question):
            writer.write(tag: 6)
            writer.write(question.question)
            writer.write(question.documents)
            writer.write(question.tools)
            writer.write(question.facts.flatMap { [$0.key, $0.value] })
            writer.write(question.maximumSteps)
            writer.write(question.sampling)
        case .program(let value):
            writer.write(tag: 7)
            writer.write(value.json())
        case .recorded(let record):
            writer.write(tag: 8)
            writer.write([record.question, record.answer])
            writer.write(record.confidence)
        }
    }
}
