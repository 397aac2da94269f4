import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import LanguageModels
import System
import Traces
import Workbench
import Workspace

extension TraceCommand {
    struct List: ParsableCommand {
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

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                guard let order = TraceOrder(parsing: sort) else {
                    throw ValidationError(
                        "unknown sort order \"\(sort)\". Use \(TraceOrder.names.joined(separator: ", ")).")
                }
                let wide = try Filter(parsing: filter).within(project: project)
                let filter = wide.within(origin.origins)
                let store = place.isUnused ? nil : TraceStore(try place.openForReading())
                let traces = try store?.summaries(matching: filter, by: order, limit: limit) ?? []
                let census = try store?.census(matching: wide) ?? TraceCensus()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("traces", traces)
                        $0.member("origins", census)
                    }
                    return Output.result(json.text)
                }
                let total = wide.namesOrigins ? census.count() : census.count(of: origin.origins)
                print(traces, wide, census, order)
                if total > traces.count {
                    Output.note("\(Format.count(total - traces.count)) more: raise --limit to list them")
                }
                if !traces.isEmpty, let others = census.phrase(besides: wide.namesOrigins ? nil : origin.origins) {
                    Output.note("not listed: \(others). To list them, add --origin all")
                }
            }
        }

        private func print(_ traces: [TraceSummary], _ wide: Filter, _ census: TraceCensus, _ order: TraceOrder) {
            guard !traces.isEmpty else {
                if let others = census.phrase(besides: wide.namesOrigins ? nil : origin.origins) {
                    return Output.result("no \(origin.noun), but \(others). To list them, add --origin all")
                }
                return Output.result(
                    wide.isEmpty
                        ? "no traces yet. To import some, run: orrery trace import PATH" : "no trace matches the filter"
                )
            }
            let origins = wide.namesOrigins ? nil : origin.origins
            let hasOrigins = Set(traces.map(\.origin)).count > 1
            let hasProjects = census.hasSeveralProjects(of: origins)
            var table = TextTable(
                ["id", "start", "steps", "total tokens", "cost", "errors"] + (hasOrigins ? ["origin"] : [])
                    + (hasProjects ? ["project"] : []) + ["name"], rightAligned: [2, 3, 4, 5])
            for trace in traces {
                table.add(
                    [
                        String(trace.externalID.prefix(12)), Format.timestamp(nanoseconds: trace.start),
                        Format.count(trace.steps),
                        trace.tokenFigure, trace.cost == nil ? "" : trace.costFigure,
                        trace.errors == 0 ? "" : Format.count(trace.errors),
                    ] + (hasOrigins ? [trace.origin.name] : []) + (hasProjects ? [trace.projectName ?? ""] : [])
                        + [trace.name])
            }
            Output.result(table.text)
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
