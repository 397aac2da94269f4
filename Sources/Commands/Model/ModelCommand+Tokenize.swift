import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import LanguageModels
import ModelLab
import Models
import System
import Tables
import Tokenizers

extension ModelCommand {
    struct Tokenize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tokenize", abstract: "Split text into tokens, and show their byte ranges.",
            discussion: """
                Special tokens in the text are read as plain text unless you add --special. With --lines, standard \
                input contains one JSON string per line, and each output line contains the ids of one string.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(name: .shortAndLong, help: "Text to tokenize; - reads standard input.")
        var text: String?

        @Flag(help: "Parse special tokens such as <|im_end|> in the text.")
        var special = false

        @Flag(inversion: .prefixedNo, help: "Add the model's start and end tokens.")
        var bos = true

        @Flag(help: "Tokenize JSON strings from standard input, one per line.")
        var lines = false

        @Flag(help: "Decode ids and print the text.")
        var decode = false

        @OptionGroup var output: TableOptions

        func run() throws {
            try answering {
                let path = try model.path()
                guard let tokenizer = try Checkpoints.tokenizer(path) else {
                    throw Problem(
                        .missing, path, "no tokenizer in the model file or folder", remedy: "Add a tokenizer.json.")
                }
                if lines { return try answerLines(tokenizer) }
                let text = try text.map { $0 == "-" ? try Self.input() : $0 } ?? Self.input()
                if decode {
                    let ids = text.split { $0.isWhitespace || $0 == "," }.map { TokenID($0) }
                    guard !ids.contains(nil) else {
                        throw Problem(.invalid, "", "token ids must be whole numbers separated by spaces or commas")
                    }
                    if let foreign = ids.lazy.compactMap(\.self).first(where: {
                        $0 < 0 || Int($0) >= tokenizer.vocabularySize
                    }) {
                        throw Problem(
                            .invalid, "",
                            "token \(foreign) is out of range: the vocabulary has \(tokenizer.vocabularySize) tokens")
                    }
                    return Output.result(
                        Printable.text(tokenizer.decode(ids.compactMap(\.self), skippingSpecialTokens: false)))
                }
                let encoding = tokenizer.encoding(of: text, addingSpecialTokens: bos, parsingSpecialTokens: special)
                var listing = Listing(
                    Array(encoding.ids.enumerated()), "tokens",
                    notes: ["\(Format.count(encoding.ids.count)) tokens, \(Format.bytes(text.utf8.count))"]
                ) { table in
                    let range = { (token: (offset: Int, element: TokenID)) in encoding.offsets[token.offset] }
                    table.text("token", align: .right) { String($0.offset + 1) }
                    table.text("id", json: "id", align: .right) { Int($0.element) }
                    table.text("piece", json: "piece") { tokenizer.piece($0.element) }
                    table.member("kind") { tokenizer.kind(of: $0.element).name }
                    table.member("start") { range($0).lowerBound }
                    table.member("end") { range($0).upperBound }
                    table.text("bytes") { range($0).isEmpty ? "" : "\(range($0).lowerBound)..<\(range($0).upperBound)" }
                }
                listing.leading = { $0.member("count", encoding.ids.count) }
                try listing.print(as: output.form)
            }
        }

        private func answerLines(_ tokenizer: Tokenizer) throws {
            let parser = JSONParser()
            var number = 0
            while let line = readLine(strippingNewline: true) {
                number += 1
                let text = try? parser.parse(line) { $0.string }
                guard let text = text ?? nil else {
                    throw Problem(
                        .invalid, "", "line \(number) is not a JSON string",
                        remedy: "Write one string in double quotes per line.")
                }
                let ids = tokenizer.encode(text, addingSpecialTokens: bos, parsingSpecialTokens: special)
                Output.result(ids.map { String($0) }.joined(separator: " "))
            }
        }

        private static func input() throws -> String {
            String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self)
        }
    }

    struct Render: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "render",
            abstract: "Show a conversation in a model's chat format, and each token's origin.")

        @OptionGroup var model: ModelFileArgument

        @Option(help: "Prompt file with the conversation.", completion: .file())
        var file: String?

        @Option(help: "User message.")
        var user: String?

        @Option(help: "System prompt.")
        var system: String?

        @Option(help: "Jinja template to use instead of the model's.", completion: .file())
        var template: String?

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard (file == nil) != (user == nil) else {
                throw ValidationError("exactly one of --user or --file is required.")
            }
        }

        func result(in options: JSONOption) throws -> Report<RenderedConversation> {
            let rendered = try RenderedConversation(
                path: try model.path(), document: try document(), templatePath: template)
            return Report(rendered, notes: [rendered.note]) { Printable.text(rendered.text) }
        }

        private func document() throws -> PromptDocument {
            if let file { return try PromptDocument(text: try SmallFile.text(file)) }
            var messages = system.map { [Message(.system, [.text($0)])] } ?? []
            messages.append(Message(.user, [.text(user ?? "")]))
            return PromptDocument(input: .messages(messages, tools: []))
        }
    }
}
