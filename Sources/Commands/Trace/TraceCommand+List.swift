import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import LanguageModels
import Presentation
import System
import Tables
import Traces
import Workspace

extension TraceCommand {
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List traces, newest first.",
            discussion: """
                By default, only agent traces are listed. Chats, eval samples, retrievals, and training runs of the \
                workbench are traces, too: select them with --origin or in the filter.

                A filter names fields or text: kind:tool status:error name:bash tokens>1000 duration>2s cost>0.1 \
                model:opus project:tidebook "free text". Combine terms with and, or, not, and parentheses. A trace is \
                listed if its totals or one of its spans match.
                """)

        @Option(name: .shortAndLong, help: "List only traces that match this filter.")
        var filter: String = ""

        @Option(
            help: "Origins, separated by commas: all, agent, chat, eval, retrieval, training.",
            completion: .list(["all"] + TraceOrigin.allCases.map(\.name)))
        var origin: OriginChoice = OriginChoice(origins: [.agent])

        @Option(help: "List only projects whose name contains this text.")
        var project: String?

        @Option(
            parsing: .unconditional,
            help: "Column: start, name, tokens, cost, errors, duration. Prefix - for descending.")
        var sort: String = "-start"

        @Option(help: "Maximum number of traces.")
        var limit: Int = 100

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<TraceSummary> {
            guard let order = TraceOrder(parsing: sort) else {
                throw ValidationError(
                    "unknown sort order \"\(sort)\". Use \(TraceOrder.names.joined(separator: ", ")).")
            }
            let wide = try Filter(parsing: filter).within(project: project)
            let store = try options.workspace().map(TraceStore.init)
            let traces =
                try store?.summaries(matching: wide.within(origin.origins), by: order, limit: limit) ?? []
            let census = try store?.census(matching: wide) ?? TraceCensus()
            let origins = wide.namesOrigins ? nil : origin.origins
            let others = census.phrase(besides: origins)
            let total = wide.namesOrigins ? census.count() : census.count(of: origin.origins)
            var notes: [String] = []
            if total > traces.count {
                notes.append("\(Format.count(total - traces.count)) more: raise --limit to list them")
            }
            if !traces.isEmpty, let others { notes.append("not listed: \(others). To list them, add --origin all") }
            let nothing =
                wide.isEmpty
                ? "no traces yet. To import some, run: orrery trace import PATH" : "no trace matches the filter"
            return Listing(
                traces, "traces",
                empty: others.map { "no \(origin.noun), but \($0). To list them, add --origin all" } ?? nothing,
                notes: notes, members: { $0.member("origins", census) }
            ) { table in
                table.text("id") { String($0.externalID.prefix(12)) }
                table.text("start") { Format.timestamp(nanoseconds: $0.start) }
                table.text("steps", json: nil, align: .right, \.steps) { Format.count($0) }
                table.text("total tokens", align: .right, \.tokenFigure)
                table.text("cost", align: .right) { $0.cost == nil ? "" : $0.costFigure }
                table.text("errors", json: nil, align: .right, \.errors) { $0 == 0 ? "" : Format.count($0) }
                if Set(traces.map(\.origin)).count > 1 { table.text("origin", \.origin.name) }
                if census.hasSeveralProjects(of: origins) { table.text("project") { $0.projectName ?? "" } }
                table.text("name", \.name)
            }
        }
    }
}

/// The argument of `--origin`: `all`, or names of origins separated by commas.
struct OriginChoice: ExpressibleByArgument {
    /// Selected origins; `nil` for all.
    var origins: Set<TraceOrigin>?

    init(origins: Set<TraceOrigin>?) { self.origins = origins }

    init?(argument: String) {
        if argument == "all" {
            origins = nil
            return
        }
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let named = words.compactMap { TraceOrigin(name: $0) }
        guard named.count == words.count else { return nil }
        origins = Set(named)
    }

    var defaultValueDescription: String { origins?.sorted().map(\.name).joined(separator: ",") ?? "all" }

    /// Plural name of the listed traces: `agents`, `chats or evals`.
    var noun: String { origins?.sorted().map(\.plural).joined(separator: " or ") ?? "traces" }
}
