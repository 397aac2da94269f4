import ArgumentParser
import Console
import Glibc
import JSON
import LanguageModels
import ModelLab
import Models
import Tokenizers

extension ModelCommand {
    struct Tokenize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tokenize", abstract: "Show the tokens of a text, with the bytes that each covers.",
            discussion: """
                Text from outside never becomes a special token unless --special is given. With --lines, standard input \
                holds one JSON string a line, and each is answered by a line with the ids.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(name: .shortAndLong, help: "The text; - reads standard input.")
        var text: String?

        @Flag(help: "Read special tokens such as <|im_end|> as what they are.")
        var special = false

        @Flag(inversion: .prefixedNo, help: "Add what the model begins and ends texts with.")
        var bos = true

        @Flag(help: "Answer JSON strings, one a line.")
        var lines = false

        @Flag(help: "Read ids, and print the text.")
        var decode = false

        @Option(help: .hidden)
        var repetitions: Int?

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let path = try model.path()
                guard let tokenizer = try Checkpoints.tokenizer(path) else {
                    throw Failure("\(path): there is no tokenizer in it or beside it.")
                }
                if let repetitions { return try measure(tokenizer, repetitions) }
                if lines { return try answerLines(tokenizer) }
                let text = try text.map { $0 == "-" ? try Self.input() : $0 } ?? Self.input()
                if decode {
                    let ids = text.split { $0.isWhitespace || $0 == "," }.map { TokenID($0) }
                    guard !ids.contains(nil) else { throw Failure("ids are whole numbers with spaces between them.") }
                    if let foreign = ids.lazy.compactMap(\.self).first(where: {
                        $0 < 0 || Int($0) >= tokenizer.vocabularySize
                    }) {
                        throw Failure("token \(foreign) is not in the vocabulary of \(tokenizer.vocabularySize).")
                    }
                    return Output.result(
                        Printable.text(tokenizer.decode(ids.compactMap(\.self), skippingSpecialTokens: false)))
                }
                let encoding = tokenizer.encoding(of: text, addingSpecialTokens: bos, parsingSpecialTokens: special)
                if output.json { return Output.json(EncodingDescription(encoding: encoding, tokenizer: tokenizer)) }
                var table = TextTable(["token", "id", "piece", "bytes"], rightAligned: [0, 1])
                for (index, id) in encoding.ids.enumerated() {
                    let range = encoding.offsets[index]
                    table.add([
                        String(index + 1), String(id), tokenizer.piece(id),
                        range.isEmpty ? "" : "\(range.lowerBound)..<\(range.upperBound)",
                    ])
                }
                Output.result(table.text)
                Output.note("\(Format.count(encoding.ids.count)) tokens, \(Format.bytes(text.utf8.count))")
            }
        }

        private func answerLines(_ tokenizer: Tokenizer) throws {
            let parser = JSONParser()
            var number = 0
            while let line = readLine(strippingNewline: true) {
                number += 1
                let text = try? parser.parse(line) { $0.string }
                guard let text = text ?? nil else { throw Failure("line \(number) is no JSON string.") }
                let ids = tokenizer.encode(text, addingSpecialTokens: bos, parsingSpecialTokens: special)
                Output.result(ids.map { String($0) }.joined(separator: " "))
            }
        }

        /// Encodes JSON strings, one a line, again and again: how fast, in bytes of text a second.
        private func measure(_ tokenizer: Tokenizer, _ repetitions: Int) throws {
            let parser = JSONParser()
            var texts: [String] = []
            while let line = readLine() { if let text = try parser.parse(line, { $0.string }) { texts.append(text) } }
            let bytes = texts.reduce(0) { $0 + $1.utf8.count }
            var rates: [Double] = []
            var count = 0
            for _ in 0..<max(1, repetitions) {
                let start = ContinuousClock.now
                count = texts.reduce(0) { $0 + tokenizer.encode($1, addingSpecialTokens: false).count }
                rates.append(Double(bytes) / (start.duration(to: .now) / .seconds(1)))
            }
            var json = JSONWriter()
            json.object {
                $0.member("bytes", bytes)
                $0.member("tokens", count)
                $0.member("bytes_per_second", rates)
            }
            Output.result(json.text)
        }

        private static func input() throws -> String {
            String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self)
        }
    }

    struct Render: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "render",
            abstract: "Show a conversation in a model's chat format, with where every token came from.")

        @OptionGroup var model: ModelFileArgument

        @Option(help: "A prompt file with the conversation.", completion: .file())
        var file: String?

        @Option(help: "A question.")
        var user: String?

        @Option(help: "What the model is told first.")
        var system: String?

        @Option(help: "A Jinja template to use instead of the model's.", completion: .file())
        var template: String?

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (file == nil) != (user == nil) else { throw ValidationError("give one of --user or --file.") }
        }

        func run() throws {
            try answering {
                let rendered = try RenderedConversation(
                    path: try model.path(), document: try document(), templatePath: template)
                if output.json { return Output.json(rendered) }
                Output.result(Printable.text(rendered.text))
                Output.note(rendered.note)
            }
        }

        private func document() throws -> PromptDocument {
            if let file { return try PromptDocument(text: try SmallFile.text(file)) }
            var messages = system.map { [Message(.system, [.text($0)])] } ?? []
            messages.append(Message(.user, [.text(user ?? "")]))
            return PromptDocument(input: .messages(messages, tools: []))
        }
    }
}

/// Tokens as JSON.
private struct EncodingDescription: JSONRepresentable {
    let encoding: Encoding
    let tokenizer: Tokenizer

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("count", encoding.ids.count)
            json.member("tokens") { json in
                json.array { json in
                    for (index, id) in encoding.ids.enumerated() {
                        json.object {
                            $0.member("id", Int(id))
                            $0.member("piece", tokenizer.piece(id))
                            $0.member("kind", tokenizer.kind(of: id).name)
                            $0.member("start", encoding.offsets[index].lowerBound)
                            $0.member("end", encoding.offsets[index].upperBound)
                        }
                    }
                }
            }
        }
    }
}
