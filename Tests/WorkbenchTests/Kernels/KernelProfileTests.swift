import Console
import KernelLab
import Presentation
import TestFixtures
import Testing
import Workbench

@Suite("The kernel panel: profiles")
struct KernelProfileTests {
    let made: TestWorkspace
    let driver: ShellDriver
    let before: ProfileSummary
    let after: ProfileSummary

    init() throws {
        made = try TestWorkspace.measured()
        let summaries = try made.profiles.summaries()
        before = try #require(summaries.first { $0.title == "before.csv" })
        after = try #require(summaries.first { $0.title == "after.csv" })
        driver = .kernels(made.workspace, opening: Reference(before))
    }

    @Test("shows each launch with its time, its share, and its limit")
    func launches() {
        #expect(driver.text.contains("NVIDIA H100 80GB HBM3"))
        #expect(driver.text.contains("Launches ─ 31 ── longest first"))
        #expect(driver.rows(with: "443 µs").contains { $0.contains("75 %") && $0.contains("tensor bf16") })
        #expect(driver.rows(with: "softmax_causal_rows<").contains { $0.contains("DRAM") })
        #expect(driver.text.contains("DRAM            274 MB at 620 GB/s, 978 FLOP/byte"))
    }

    @Test("the selected launch has a dot for each memory level, in the color of the cursor")
    func levels() {
        let screen = driver.shell.draw()
        let accent = Theme.dark[.accent]
        let dots = (0..<screen.size.rows).flatMap { row in
            (0..<screen.size.columns).filter { column in
                let cell = Point(column: column, row: row)
                return screen.text(at: cell) == "●" && screen[cell].style == accent
            }
        }
        #expect(dots.count == 3)
        #expect(Set(dots).count == 3)
    }

    @Test("S sorts by time, launch order, or share of the roof; / filters; Esc removes the filter")
    func sortsAndFilters() throws {
        try driver.type("S")
        #expect(driver.text.contains("as launched"))
        try driver.type("S")
        #expect(driver.text.contains("farthest from the roof first"))
        try driver.type("/softmax<enter>")
        #expect(driver.text.contains("Launches ─ 2 "))
        #expect(!driver.text.contains("gemm_bf16_tn"))
        try driver.type("<esc>")
        #expect(driver.text.contains("Launches ─ 31"))
        try driver.type("/no such kernel<enter>")
        #expect(driver.text.contains("Launches ─ 0"))
        try driver.type("<esc><esc>")
        #expect(driver.rows(with: "Kernels ─").count == 1)
    }

    @Test("d compares with another profile launch by launch, and names launches in only one; Esc ends the comparison")
    func compares() throws {
        try driver.type("d\(after.title)<enter>")
        #expect(driver.text.contains("before.csv and after.csv"))
        #expect(driver.rows(with: "softmax_causal_rows<").allSatisfy { $0.contains("gone") })
        #expect(driver.text.contains("1.77 ms before, 1.26 ms after: 1.40×"))
        try driver.type("/flash<enter>")
        #expect(driver.rows(with: "flash_forward").contains { $0.contains("new") })
        try driver.type("<esc>S")
        #expect(driver.text.contains("as launched"))
        try driver.type("<esc>")
        #expect(!driver.text.contains("before.csv and"))
        // The profile itself is not offered.
        try driver.type("d\(before.title)<enter>")
        #expect(driver.text.contains("Compare: the older profile is the base"))
        #expect(driver.text.contains("0 of 1") && driver.text.contains("Nothing matches."))
        try driver.type("<esc>")
        #expect(!driver.text.contains("Compare this profile"))
        #expect(!driver.text.contains("before.csv and"))
    }

    @Test("the older profile is the base, whichever of the two is open")
    func comparesByAge() throws {
        let driver = ShellDriver.kernels(made.workspace, opening: Reference(after))
        try driver.type("d\(before.title)<enter>")
        #expect(before.id < after.id && driver.text.contains("before.csv and after.csv"))
        #expect(driver.text.contains("1.77 ms before, 1.26 ms after: 1.40×"))
        try driver.type("<esc>")
        #expect(driver.rows(with: "Launches ─").contains { !$0.contains("before.csv and") })
        #expect(driver.shell.panels[0].selection?.path.first == after.id)
    }

    @Test("i imports a profile and opens it; importing the same file again changes nothing")
    func imports() throws {
        let path = Place.root + "/sample-data/profiles/step.json"
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("Imported step.json"))
        #expect(driver.rows(with: "step.json").count >= 1)
        try driver.type("i\(path)<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("Nothing changed"))
        try driver.type("i/nowhere/at-all.csv<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("/nowhere/at-all.csv"))
    }

    @Test("D deletes a profile only after d, and clears it from the screen")
    func deletes() throws {
        try driver.type("Dy<enter>")
        #expect(driver.text.contains("Delete before.csv?") && driver.text.contains("[d] delete the profile"))
        try driver.type("<esc>")
        #expect(!driver.text.contains("Delete before.csv?"))
        #expect(try made.profiles.summaries().count == 2)
        try driver.type("Dd")
        #expect(try made.profiles.summaries().map(\.title) == ["after.csv"])
        #expect(driver.text.contains("deleted the profile with 31 launches"))
        #expect(!driver.text.contains("before.csv"))
        #expect(!driver.text.contains("Launches ─"))
    }

    @Test("the next start shows the same launch, order, filter and comparison")
    func restores() throws {
        for keys in ["S/gemm<enter>jjj", "<esc>d\(after.title)<enter>jj"] {
            try driver.type(keys)
            let text = driver.text.split(separator: "\n").dropLast(10)
            driver.shell.saveScreens()
            let again = ShellDriver.kernels(made.workspace, isRestored: true)
            #expect(again.text.split(separator: "\n").dropLast(10) == text, "after \(keys)")
        }
    }

    @Test("a launch opens from elsewhere by its reference, and a missing profile is reported")
    func references() throws {
        let driver = ShellDriver.kernels(made.workspace, opening: Reference(.launch, [before.id, 12], title: ""))
        #expect(driver.shell.panels[0].selection?.path == [before.id, 12])
        let gone = ShellDriver.kernels(made.workspace, opening: Reference(.profile, [404], title: ""))
        #expect(gone.text.contains("profile 404 is no longer in the workspace"))
    }
}
