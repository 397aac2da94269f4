import Console
import Glibc
import Retrieval
import TestFixtures
import Traces
import Workbench
import Workspace

/// A workspace with the sample traces and a small corpus of our own: papers about a dome, with vectors, questions and a
/// second pipeline.
struct SearchedWorkspace {
    let made: TestWorkspace
    var workspace: Workspace { made.workspace }
    var store: CorpusStore { CorpusStore(made.workspace) }

    static let question = "what torque do the bolts of the lower leaf need?"

    /// Papers by their paths.
    static let papers = [
        "manuals/DM-7.md": """
        # DM-7: Dome

        ## 1 Drive

        The dome follows the telescope within 0.8 degrees; it moves only once the error exceeds 1.5 degrees.

        ## 2 Hinges

        Hinge bolts, upper leaf (8 × M16, steel on steel). Torque 90 N·m dry.

        Hinge bolts, lower leaf (12 × M16, stainless on aluminium). Torque 62 N·m dry. With anti-seize paste 48 N·m. \
        Do not use the figure of the upper leaf: its hinges are steel.

        ## 3 Shutter

        The shutter opens at half speed below -10 °C.

        """,
        "manuals/old/DM-7-rev-B.md": """
        # DM-7: Dome

        ## 2 Hinges

        Hinge bolts, upper leaf (8 × M16, steel on steel). Torque 90 N·m dry.

        Hinge bolts, lower leaf (12 × M16, stainless on aluminium). Torque 70 N·m dry. With anti-seize paste 55 N·m. \
        Do not use the figure of the upper leaf: its hinges are steel.

        """,
        "notes/2026-09-20.txt": "The fasteners of the lower leaf were tightened to 62 N·m after the jam.\n",
        "notes/2026-09-21.txt": "Rain from 02:10. The dome stayed closed and nobody observed.\n",
        "notes/2026-09-22.txt":
            "The guide star was lost twice; the guider waits twelve seconds before it looks again.\n",
        "tables/parts.csv": "part,count,place\nbolt M16,20,store 3\ngasket,4,store 1\nlamp,9,store 2\n",
        "wiki/people.html": """
        <html><head><title>People</title></head><body><h1>Who is asked for what</h1>
        <p>R. Okafor for the dome and its bolts, J. Tanaka for cameras.</p></body></html>
        """,
        "code/dome.py": "def torque(leaf):\n    return 62 if leaf == \"lower\" else 90\n",
    ]

    static let questions = [
        (question, "manuals/DM-7.md", "Torque 62 N·m dry"),
        ("how fast does the shutter open in the cold?", "manuals/DM-7.md", "half speed below -10 °C"),
        ("how long does the guider wait?", "notes/2026-09-22.txt", "waits twelve seconds"),
        ("who knows about cameras?", "wiki/people.html", "J. Tanaka for cameras"),
    ]

    init() throws { made = try TestWorkspace(copying: try Self.template.get(), as: "dome.orrery") }

    /// Every test gets a copy of one file.
    private static let template: Result<String, any Error> = Result {
        let made = try TestWorkspace()
        try made.store.importTraces([Place.root + "/sample-data/traces"])
        try fill(made, with: papers)
        return Keeper.shared.hold(made)
    }

    /// One with other papers, no traces and no questions.
    init(papers: [String: String]) throws {
        made = try TestWorkspace()
        try Self.fill(made, with: papers, questions: [])
    }

    private static func fill(
        _ made: TestWorkspace, with papers: [String: String], questions: [(String, String, String)] = questions
    ) throws {
        let store = CorpusStore(made.workspace)
        let corpus = try store.create("dome")
        for (name, text) in papers {
            let path = made.folder.file("papers/" + name)
            for index in path.indices where path[index] == "/" { mkdir(String(path[..<index]), 0o755) }
            File.write(text, to: path)
        }
        _ = try store.add([made.folder.file("papers")], to: corpus.id)
        _ = try CorpusAdding(store).embed(corpus)
        guard !questions.isEmpty else { return }
        var set = QuestionSet()
        for (index, one) in questions.enumerated() {
            // Text that stands in the document as it is in the file has its place.
            let text = papers[one.1] ?? ""
            let range = text.firstRange(of: one.2).map { found in
                let start = text.utf8.distance(from: text.startIndex, to: found.lowerBound)
                return start..<start + one.2.utf8.count
            }
            try set.append(
                QuestionSet.Case(
                    id: "q\(index + 1)", question: one.0,
                    gold: [.init(one.1, range: one.1.hasSuffix(".html") ? nil : range)]))
        }
        _ = try store.saveQuestions(set, as: "dome-questions", corpus: corpus.id)
        _ = try store.savePipeline("narrow", toml: "[dense]\nk = 2\n\n[lexical]\nk = 2\n\n[fusion]\nkeep = 2\n")
    }
}

extension ShellDriver {
    /// A shell that shows the retrieval panel and also has the trace panel.
    static func retrieval(
        _ workspace: Workspace, size: Size = Size(120, 40), isRestored: Bool = false, opening: Reference? = nil
    ) -> ShellDriver {
        ShellDriver(
            workspace, size: size, panels: [PanelEntry(RetrievalPage.self), PanelEntry(TracePage.self)],
            opening: opening, isHeadless: !isRestored)
    }
}
