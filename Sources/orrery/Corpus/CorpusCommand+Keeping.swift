import ArgumentParser
import Console
import JSON
import Retrieval
import Workspace

extension CorpusCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read every segment of a corpus's indexes and say what is damaged.")

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let retriever = Retriever(try place.openForReading())
                let found = try corpus.find(in: retriever.store)
                let cancellation = Cancellation()
                let (indexes, problems) = try Interruption.cancelling(cancellation) {
                    try retriever.indexes(of: found, until: cancellation)
                }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { json in
                        json.member("corpus", found.name)
                        json.member("indexes") { json in
                            json.array { json in
                                for index in indexes {
                                    json.object {
                                        $0.member("name", index.name)
                                        $0.member("kind", index.kind)
                                        $0.member("entries", index.entries)
                                        $0.member("bytes", index.bytes)
                                        $0.member("active", index.isActive)
                                    }
                                }
                            }
                        }
                        json.member("problems", problems)
                    }
                    Output.result(json.text)
                } else {
                    var table = TextTable(["index", "kind", "entries", "bytes"], rightAligned: [2, 3])
                    for index in indexes {
                        table.add([
                            Printable.line(index.name), index.kind, Format.count(index.entries),
                            Format.bytes(index.bytes),
                        ])
                    }
                    Output.result(table.text)
                    for problem in problems { Output.note(problem) }
                    if problems.isEmpty { Output.result("every segment is as it was written") }
                }
                if !problems.isEmpty { throw ExitCode(1) }
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a corpus as JSON lines, a document or a chunk each.")

        @Flag(help: "A line a chunk, with its bytes in the document.")
        var chunks = false

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openForReading())
                let found = try corpus.find(in: store)
                var after: Int64 = 0
                while true {
                    let page = try store.documents(of: found.id, limit: 256, after: after)
                    guard let last = page.last else { break }
                    for document in page { try write(document, store) }
                    after = last.id
                }
            }
        }

        private func write(_ document: DocumentRow, _ store: CorpusStore) throws {
            if chunks {
                for chunk in try store.chunks(of: document.id) where chunk.isIndexed {
                    var json = JSONWriter()
                    try json.object {
                        $0.member("_id", "\(document.name)#\(chunk.ordinal + 1)")
                        $0.member("title", document.title)
                        $0.member("text", try store.text(of: chunk))
                        $0.member("document", document.name)
                        $0.member("start", chunk.range.lowerBound)
                        $0.member("end", chunk.range.upperBound)
                    }
                    Output.result(json.text)
                }
                return
            }
            var json = JSONWriter()
            try json.object { json in
                json.member("_id", document.name)
                json.member("title", document.title)
                json.member("text", try store.text(of: document.id))
                let metadata = try store.metadata(of: document.id)
                if !metadata.isEmpty {
                    json.member("metadata") { json in
                        json.object { json in for (key, value) in metadata { json.member(key, value.shown) } }
                    }
                }
            }
            Output.result(json.text)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a corpus another name.")

        @Argument(help: "The new name.")
        var name: String

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                let found = try corpus.find(in: store)
                try store.rename(found.id, to: name)
                Output.result("\(Printable.line(found.name)) is called \(Printable.line(name)) now")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove documents from a corpus.")

        @Argument(help: "Documents by their ids.")
        var documents: [String]

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                let found = try corpus.find(in: store)
                var ids: [Int64] = []
                for name in documents {
                    let rows = try store.documents(named: name, of: found.id)
                    guard !rows.isEmpty else {
                        throw Failure(
                            "\(found.name) has no document \(name); nothing was removed. "
                                + (try store.remedy(forDocument: name, of: found.id)))
                    }
                    ids += rows.map(\.id)
                }
                try store.remove(documents: ids, from: found.id)
                Output.result("removed \(Format.count(ids.count)) documents")
            }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undo the last change of a corpus: an add, a removal, a deletion, a renaming.",
            discussion: """
                Documents that an add brought are removed again, and those that it changed or removed come back as they \
                were. What cannot be restored is named. The next undo takes back the change before, until \
                orrery workspace prune.
                """)

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                let cancellation = Cancellation()
                let undone = try Interruption.cancelling(cancellation) {
                    try CorpusAdding(store).undo(until: cancellation)
                }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("undone", ifPresent: undone) }
                    return Output.result(json.text)
                }
                guard let undone else { throw Failure("there is nothing to undo.") }
                Output.result(Printable.line(undone))
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a corpus; --undo brings the last one back until orrery workspace prune.")

        @Flag(help: "Undo the last deletion or renaming.")
        var undo = false

        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = CorpusStore(try place.openExisting())
                if undo {
                    return Output.result(try CorpusAdding(store).undo() ?? "there is nothing to undo")
                }
                guard corpus.corpus != nil else { throw Failure("name the corpus with --corpus.") }
                let found = try corpus.find(in: store)
                try store.delete(found.id)
                Output.result("deleted \(Printable.line(found.name)); orrery corpus delete --undo brings it back")
            }
        }
    }
}
