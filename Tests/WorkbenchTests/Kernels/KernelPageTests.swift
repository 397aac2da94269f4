import Console
import KernelLab
import Kernels
import Presentation
import TestFixtures
import Testing
import Workbench

@Suite("The kernel page by the names of its actions")
struct KernelPageTests {
    let made: TestWorkspace
    let driver: PageDriver<KernelPage>
    /// The imported profiles by title.
    let profiles: [String: ProfileSummary]

    init() throws {
        made = try TestWorkspace.measured()
        profiles = Dictionary(uniqueKeysWithValues: try made.profiles.summaries().map { ($0.title, $0) })
        driver = PageDriver(made.workspace)
    }

    private func profile(_ title: String) throws -> ProfileSummary { try #require(profiles[title]) }

    @Test("Enter goes to the rungs and to the text, Tab visits the panes in order, and Esc goes back")
    func focus() {
        driver.press("open")
        #expect(driver.page.screen.focus == .ladder)
        driver.press("open")
        #expect(driver.page.screen.focus == .detail)
        driver.press("open")
        #expect(driver.refusals == ["the text is already open: Esc goes back"])
        driver.press("back", "back")
        #expect(driver.page.screen.focus == .subjects)
        driver.press("next-pane")
        #expect(driver.page.screen.focus == .roof)
        driver.press("previous-pane", "back")
        #expect(driver.backs == 1)
    }

    @Test("the roof and the ladder share a cursor, which the text follows")
    func cursor() {
        driver.press("view", "next-pane", "top")
        #expect(driver.text.contains("naive: figures"))
        driver.press("next-pane", "down")
        #expect(driver.text.contains("loop-order: figures"))
        driver.press("view")
        #expect(driver.text.contains("loop-order: history"))
    }

    @Test("unavailable actions say why")
    func refusals() throws {
        driver.press("compare", "left", "edit", "delete", "next-match")
        driver.open(Reference(try profile("before.csv")))
        driver.press("run", "threads", "size")
        #expect(
            driver.refusals == [
                "open a profile first", "only the text pane scrolls sideways: Tab goes there",
                "select one of your own kernels first, or press a to add one",
                "only profiles and your own kernels can be deleted", "search first: press /",
                "profiles cannot be measured again: select a kernel",
                "open a kernel first: a profile has neither threads nor source",
                "open one of the built-in kernels first",
            ])
    }

    @Test("a size is chosen from the presets or typed, and an invalid one opens the dialog again")
    func sizes() {
        driver.press("size")
        driver.answer("m=3,k=7")
        #expect(driver.text.contains("m=3 "))
        driver.press("size")
        driver.answer("q=3")
        #expect(driver.notices.contains { $0.contains("invalid size q=3") } && driver.dialog != nil)
        driver.leave()
        #expect(driver.text.contains("m=3 "))
    }

    @Test("/ filters launches while the user types, and finds text in the kernel of a ladder")
    func find() throws {
        driver.press("view", "open", "find")
        driver.answer("median")
        #expect(driver.text.contains("1 of 1") && driver.page.screen.focus == .ladder)
        driver.open(Reference(try profile("before.csv")))
        driver.press("find")
        driver.type(soFar: "softmax")
        #expect(driver.text.contains("Launches ─ 2 "))
        driver.leave()
        #expect(driver.text.contains("Launches ─ 31 "))
    }

    @Test("a deleted profile leaves the screen")
    func delete() throws {
        driver.open(Reference(try profile("before.csv")))
        driver.press("delete")
        driver.answer("d")
        #expect(driver.notices == ["deleted the profile with 31 launches"])
        #expect(driver.page.screen.focus == .subjects && !driver.text.contains("before.csv"))
    }

    @Test("a ladder keeps its cursor when its sizes change")
    func cursorStays() {
        driver.press("open", "top", "down", "next-size", "previous-size")
        #expect(driver.text.contains("loop-order: source"))
    }

    @Test("a screen with a kernel saved by an earlier version is restored and saved unchanged")
    func savedKernel() {
        let saved = """
            {"pane":"detail","zoomed":true,"threads":1,"view":"history","shown":"operation:gemm-f32",\
            "shape":"m=1024 n=1024 k=1024","rung":"blocked"}
            """
        let again = PageDriver<KernelPage>(made.workspace, saved: saved)
        #expect(again.text.contains("blocked: history") && !again.text.contains("Roofline"))
        #expect(again.host.save() == saved)
    }

    @Test("screens with a launch and with a comparison, saved by an earlier version, are restored and saved unchanged")
    func savedProfile() throws {
        let (before, after) = (try profile("before.csv").id, try profile("after.csv").id)
        let start =
            "{\"pane\":\"ladder\",\"zoomed\":false,\"threads\":1,\"view\":\"source\",\"shown\":\"profile:\(before)\""
        let launch = start + ",\"launch\":30,\"row\":30,\"sort\":\"order\",\"filter\":\"\"}"
        let first = PageDriver<KernelPage>(made.workspace, saved: launch)
        #expect(first.text.contains("as launched") && first.page.selection?.path == [before, 30])
        #expect(first.host.save() == launch)
        let comparison = start + ",\"comparison\":\(after),\"row\":1,\"sort\":\"time\",\"filter\":\"gemm\"}"
        let second = PageDriver<KernelPage>(made.workspace, saved: comparison)
        #expect(second.text.contains("before.csv and after.csv"))
        #expect(second.host.save() == comparison)
    }

    @Test("a comparison that was opened from the newer profile is restored")
    func restoresNewer() throws {
        driver.open(Reference(try profile("after.csv")))
        driver.press("compare")
        driver.answer("before.csv")
        #expect(driver.text.contains("before.csv and after.csv"))
        #expect(driver.restarted().text == driver.text)
    }
}
