import Console
import Glibc
import TestFixtures
import Testing
import Traces
import Workbench
import Workspace

@Suite("Keeping runs")
struct TraceKeepingTests {
    let made: TestWorkspace
    let driver: TraceDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = TraceDriver(made.workspace)
    }

    @Test("R renames the run, and u undoes it")
    func rename() {
        driver.press("rename")
        #expect(driver.prompt?.text == SmallSession.prompt)
        #expect(driver.prompt?.isProposal == true, "typing replaces the name")
        driver.answer("the dry fern")
        #expect(driver.notices == ["renamed (u undoes it)"])
        #expect(driver.text.contains("the dry fern"))
        driver.press("undo")
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("a run that is open shows its new name at once")
    func renameOpen() {
        driver.press("open", "rename")
        driver.answer("the dry fern")
        let lines = driver.text.split(separator: "\n")
        #expect(lines.filter { $0.contains("the dry fern") }.count >= 1)
        #expect(lines.first?.contains("the dry fern") == true)
    }

    @Test("D deletes the run, and u restores it with all its data")
    func delete() {
        driver.press("delete")
        #expect(driver.notices == ["deleted \(SmallSession.prompt) (u restores it)"])
        #expect(driver.text.contains("No runs yet"))
        driver.press("undo")
        #expect(driver.text.contains(SmallSession.prompt))
        driver.press("open", "next-error")
        #expect(driver.text.contains(SmallSession.failure))
    }

    @Test("the open run can be deleted, and the list returns")
    func deleteOpen() {
        driver.press("open", "delete")
        #expect(driver.pane == "runs")
        #expect(driver.text.contains("No runs yet"))
    }

    @Test("marked runs are deleted together after a question that names them, and u restores them")
    func deleteMarked() throws {
        let made = try TestWorkspace.holding(
            SmallSession.text(id: "a", prompt: "Water the fern"), SmallSession.text(id: "b", prompt: "Water the moss"))
        let driver = TraceDriver(made.workspace)
        driver.press("mark", "down", "play")
        #expect(driver.text.contains("2 marked"))
        driver.press("delete")
        #expect(driver.prompt?.label == "Delete 2 runs?")
        driver.answer("d")
        #expect(driver.text.contains("No runs yet") && !driver.text.contains("marked"))
        driver.press("undo")
        #expect(driver.text.contains("Water the fern") && driver.text.contains("Water the moss"))
    }

    @Test("marked runs are exported to a folder, one file each")
    func exportMarked() throws {
        let made = try TestWorkspace.holding(
            SmallSession.text(id: "a", prompt: "Water the fern"), SmallSession.text(id: "b", prompt: "Water the moss"))
        let driver = TraceDriver(made.workspace)
        driver.press("mark", "down", "mark", "export-run")
        #expect(driver.prompt?.label == "Export 2 runs")
        driver.answer("folder=\(made.folder.file("out")) format=md")
        #expect(driver.notices.last == "wrote 2 files to \(made.folder.file("out"))")
        let texts = try made.store.summaries(matching: .everything, by: .newest, limit: 9).compactMap { run in
            File.text(made.folder.file("out/run-\(run.id)-\(run.externalID.prefix(8)).md"))
        }
        #expect(texts.count == 2)
        #expect(texts.contains { $0.contains("Water the fern") } && texts.contains { $0.contains("Water the moss") })
    }

    @Test("Esc removes all marks, and a run hidden by a filter loses its mark")
    func marksEnd() throws {
        driver.press("mark")
        #expect(driver.text.contains("1 marked"))
        driver.press("back")
        #expect(!driver.text.contains("1 marked"))
        driver.press("mark", "filter")
        driver.answer("errors>99")
        #expect(!driver.text.contains("1 marked"))
        driver.press("back")
        #expect(!driver.text.contains("1 marked") && driver.backs == 0)
    }

    @Test("s skips the columns that have no room")
    func sortShown() throws {
        let made = try TestWorkspace.holding(SmallSession.text(id: "a"), SmallSession.text(id: "b"))
        let driver = TraceDriver(made.workspace, size: Size(44, 20))
        for _ in 0..<6 {
            driver.press("sort")
            #expect(driver.text.contains("▾") || driver.text.contains("▴"), "\(driver.saved("order"))")
        }
    }

    @Test("with nothing to undo, u says so")
    func undoNothing() {
        driver.press("undo")
        #expect(driver.refusals.count == 1 && driver.refusals[0].hasPrefix("nothing left to undo"))
        #expect(driver.notices == [])
    }

    @Test("u undoes only changes of this page, and names the next one")
    func undoesOwn() throws {
        let other = TraceStore(try made.reopened())
        try other.rename(1, to: "renamed elsewhere")
        driver.workspaceChanged()
        driver.press("undo")
        #expect(driver.refusals.count == 1)
        #expect(driver.text.contains("renamed elsewhere"))
        driver.press("delete")
        #expect(driver.hint("u") == "undo deletion")
        try other.rename(1, to: "renamed again")
        driver.press("undo")
        #expect(driver.text.contains("renamed again"), "the run is back under the name given elsewhere")
        #expect(try other.undo() == "Restored the name renamed elsewhere.")
    }

    @Test("u keeps a name that another process set later, and reports a change that was already undone")
    func undoesOwnName() throws {
        let other = TraceStore(try made.reopened())
        driver.press("rename")
        driver.answer("the dry fern")
        try other.rename(1, to: "renamed elsewhere")
        driver.press("undo")
        #expect(driver.notices.last == "The run has since been renamed elsewhere and keeps its newer name.")
        #expect(driver.text.contains("renamed elsewhere"))
        driver.press("delete")
        #expect(try other.undo() == "Restored the run.")
        driver.press("undo")
        #expect(driver.notices.last == "the deletion of renamed elsewhere can no longer be undone")
    }

    @Test("y copies the command of a tool step and the answer of a model step, Y the whole step")
    func copies() {
        driver.press("open", "next-error", "copy")
        #expect(driver.copies == ["water fern"])
        driver.press("next-model", "copy")
        #expect(driver.copies.last == "The can is empty; the fern must wait.")
        driver.press("copy-step")
        #expect(driver.copies.last?.contains("The can is empty") == true)
        #expect(driver.copies.last?.hasPrefix("#") == true)
    }

    @Test("e and E write a step and a run as Markdown or JSON, by the file's name", arguments: ["md", "json"])
    func export(kind: String) throws {
        driver.press("open", "next-error", "export")
        driver.answer(made.folder.file("step.\(kind)"))
        driver.press("export-run")
        driver.answer(made.folder.file("run.\(kind)"))
        #expect(driver.jobs == ["export", "export"])
        let step = try #require(File.text(made.folder.file("step.\(kind)")))
        let run = try #require(File.text(made.folder.file("run.\(kind)")))
        #expect(step.contains(SmallSession.failure))
        #expect(!step.contains(SmallSession.prompt))
        #expect(run.contains(SmallSession.prompt))
        #expect(run.contains(SmallSession.failure))
        #expect(step.hasPrefix(kind == "md" ? "#" : "{"))
    }

    @Test("an export to an unwritable place fails with an error and leaves nothing behind")
    func exportFails() {
        driver.press("open", "export")
        driver.answer("/proc/nowhere/step.md")
        #expect(driver.notices.count == 1)
        #expect(driver.notices.first?.contains("/proc/nowhere") == true)
    }

    @Test("i imports a file: the run appears, and a separate job builds the index")
    func imports() {
        File.write(SmallSession.text(id: "ivy", prompt: "Water the ivy", day: 3), to: made.folder.file("ivy.jsonl"))
        driver.press("import")
        driver.answer(made.folder.file("ivy.jsonl"))
        #expect(driver.jobs == ["import", "index"])
        #expect(driver.text.contains("Water the ivy"))
        #expect(driver.notices.first == "1 new trace, 6 new spans")
        driver.press("import")
        driver.answer(made.folder.file("ivy.jsonl"))
        #expect(driver.notices.last?.hasPrefix("nothing new") == true)
    }

    @Test("a run that grew while it was open can be reopened with the additions")
    func grows() {
        driver.press("open")
        let path = made.folder.file("session-0.jsonl")
        let more = SmallSession.text().replacing("\"fern-a3\"", with: "\"fern-a4\"").split(separator: "\n").last ?? ""
        let longer =
            SmallSession.text()
            + more.replacing("fern-m3", with: "fern-m4").replacing("fern-u3", with: "fern-a3")
            .replacing(":10.000Z", with: ":20.000Z") + "\n"
        File.write(longer, to: path)
        driver.press("import")
        driver.answer(path)
        #expect(driver.failures.isEmpty)
        driver.press("back", "open")
        #expect(driver.text.contains("of 6"))
    }

    @Test(
        "every line with a text proposes it: typing replaces it, and a rejected filter can be corrected")
    func proposals() throws {
        driver.press("filter")
        driver.answer("errors>0")
        for action in ["filter", "rename"] {
            driver.press(action)
            #expect(driver.prompt?.isProposal == true, "\(action)")
            driver.leave()
        }
        driver.press("open")
        for action in ["export", "export-run", "test-case"] {
            driver.press(action)
            #expect(driver.prompt?.text.isEmpty == false && driver.prompt?.isProposal == true, "\(action)")
            driver.leave()
        }
        driver.press("back", "filter")
        driver.answer("kind:tol")
        #expect(driver.prompt?.text == "kind:tol" && driver.prompt?.isProposal == false)
    }

    @Test("keys without effect give the reason")
    func idleKeys() {
        #expect(driver.reason("left") == "The list has no branches. Press Enter to open the run.")
        #expect(driver.reason("sort") == "nothing to sort")
        #expect(driver.reason("next-pane") == "Press Enter to open the run first.")
        for action in ["copy", "wrap", "all-messages", "next-mark", "timeline-in"] {
            #expect(driver.reason(action) == "open a run first", "\(action)")
        }
        driver.press("open")
        #expect(driver.reason("next-mark") == "No step is marked. Press m to mark one.")
        driver.press("open")
        #expect(driver.reason("open") == "The step is already open. Press Esc to go back to the run.")
        #expect(driver.reason("right") == "Wrapped lines do not scroll sideways. Press w to unwrap them.")
    }

    @Test("unavailable actions give the reason")
    func disabled() throws {
        #expect(driver.reason("step") == "open a run first")
        #expect(driver.reason("next-match") == "search first: press /")
        #expect(driver.reason("rename") == nil)
        driver.press("open")
        #expect(driver.reason("step") == nil)
        let nothing = try TestWorkspace()
        let empty = TraceDriver(nothing.workspace)
        #expect(empty.reason("delete") == "select a run first")
        #expect(empty.text.contains("No runs yet. Press i to import a file or folder."))
        withExtendedLifetime(nothing) {}
    }

    @Test("I searches for sessions when pressed, and imports sessions that appeared since the start")
    func importsNewSessions() throws {
        let home = TemporaryFolder()
        let made = try TestWorkspace()
        let driver = TraceDriver(made.workspace) { TracePage($0, discovery: SessionDiscovery(home: home.path)) }
        #expect(driver.reason("import-found") == nil)
        driver.press("import-found")
        #expect(driver.notices == ["no new coding agent sessions found"])
        for folder in ["/.claude", "/.claude/projects", "/.claude/projects/-home-ann"] {
            #expect(mkdir(home.path + folder, 0o700) == 0)
        }
        File.write(SmallSession.text(), to: home.path + "/.claude/projects/-home-ann/s1.jsonl")
        driver.press("import-found")
        #expect(driver.jobs == ["import", "index"])
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("a long list keeps the run under the cursor when it is read again, and shows its new name")
    func manyRuns() throws {
        let sessions = (0..<300).map { SmallSession.text(id: "s\($0)", prompt: "Water plant \($0)") }
        let made = try TestWorkspace()
        for (index, session) in sessions.enumerated() {
            File.write(session, to: made.folder.file("many-\(index).jsonl"))
        }
        try made.store.importTraces(sessions.indices.map { made.folder.file("many-\($0).jsonl") })
        let driver = TraceDriver(made.workspace)
        driver.press("end")
        for _ in 0..<20 { driver.press("up") }
        let there = driver.trace
        driver.workspaceChanged()
        #expect(driver.trace == there)
        driver.press("rename")
        driver.answer("the dry fern")
        #expect(driver.text.contains("the dry fern"))
        driver.press("reverse")
        #expect(driver.trace == there)
    }
}
