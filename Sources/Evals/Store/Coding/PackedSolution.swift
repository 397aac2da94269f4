internal import LanguageModels

// The solution of a sample, as bytes.

extension Likelihood: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(logProbability)
        writer.write(isGreedy)
        writer.write(tokens)
        writer.write(usage)
        writer.write(rule)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            logProbability: try reader.double(), isGreedy: try reader.bool(), tokens: try reader.array(),
            usage: try reader.optional())
        rule = try reader.optional()
    }
}

extension Likelihood.Token: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(text)
        writer.write(id)
        writer.write(logProbability)
        writer.write(isGreedy)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            text: try reader.text(), id: try reader.optional(), logProbability: try reader.double(),
            isGreedy: try reader.bool())
    }
}

extension SolutionPassage: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(document)
        writer.write(chunk)
        writer.write(text)
        writer.write(score)
        writer.write(isInContext)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            document: try reader.text(), chunk: try reader.optional(), text: try reader.text(),
            score: try reader.double(), isInContext: try reader.bool())
    }
}

extension Alternative: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(id)
        writer.write(text)
        writer.write(logProbability)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(id: try reader.optional(), text: try reader.text(), logProbability: try reader.double())
    }
}

/// Tokens of an answer with their probabilities; the effects of logit processors are not stored.
extension TokenStep: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(text)
        writer.write(id)
        writer.write(logProbability)
        writer.write(entropy)
        writer.write(seconds)
        writer.write(alternatives != nil)
        if let alternatives { writer.write(alternatives) }
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            text: try reader.text(), id: try reader.optional(), logProbability: try reader.optional(),
            entropy: try reader.optional(), seconds: try reader.optional())
        if try reader.bool() { alternatives = try reader.array() }
    }
}

extension SolutionStep: Packed {
    package func pack(into writer: inout PackedWriter) {
        switch self {
        case .model(let call):
            writer.write(tag: 0)
            writer.write(call.provider)
            writer.write(call.model)
            writer.write(call.specification)
            writer.write(call.request)
            writer.write(call.response)
            writer.write(call.likelihood)
            writer.write(call.problem)
            writer.write(call.purpose)
            writer.write(call.start)
            writer.write(call.end)
            writer.write(call.answered)
        case .tool(let run):
            writer.write(tag: 1)
            writer.write(run.call)
            writer.write(run.result)
            writer.write(run.start)
            writer.write(run.end)
        case .search(let search):
            writer.write(tag: 2)
            writer.write(search.corpus)
            writer.write(search.pipeline)
            writer.write(search.question)
            writer.write(search.passages)
            writer.write(search.start)
            writer.write(search.end)
            writer.write(search.problem)
        }
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        switch try reader.tag() {
        case 0: self = .model(try Self.call(from: &reader))
        case 1:
            self = .tool(
                ToolRun(
                    call: try reader.value(), result: try reader.value(), start: try reader.int64(),
                    end: try reader.int64()))
        case 2:
            self = .search(
                SearchRecord(
                    corpus: try reader.text(), pipeline: try reader.text(), question: try reader.text(),
                    passages: try reader.array(), start: try reader.int64(), end: try reader.int64(),
                    problem: try reader.optional()))
        default: throw PackedReader.Damage()
        }
    }

    private static func call(from reader: inout PackedReader) throws(PackedReader.Damage) -> CallRecord {
        CallRecord(
            provider: try reader.text(), model: try reader.text(), specification: try reader.optional(),
            request: try reader.value(), response: try reader.optional(), likelihood: try reader.optional(),
            problem: try reader.optional(), purpose: try reader.optional(), start: try reader.int64(),
            end: try reader.int64(), answered: try reader.array())
    }
}

extension Solution: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(answers)
        writer.write(likelihoods)
        writer.write(alone)
        writer.write(passages)
        writer.write(steps)
        writer.write(usage)
        writer.write(seconds)
        writer.write(retries)
        writer.write(standardError)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(
            answers: try reader.array(), likelihoods: try reader.array(), alone: try reader.array(),
            passages: try reader.array(), steps: try reader.array(), usage: try reader.optional(),
            seconds: try reader.double(), retries: try reader.int(), standardError: try reader.optional())
    }
}
