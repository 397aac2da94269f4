import Console
import KernelLab
import TestFixtures
import Testing
import Workbench

@Suite("Hostile profiles in the kernel panel")
struct KernelHostileTests {
    /// A trace of PyTorch's profiler with a name in all places that hold one.
    private static func trace(_ name: String, duration: String = "12.5") -> String {
        #"{"deviceProperties":[{"id":0,"name":"\#(name)"}],"traceEvents":["#
            + #"{"ph":"X","cat":"kernel","name":"\#(name)","pid":0,"tid":7,"ts":1,"dur":\#(duration),"#
            + #""args":{"device":0,"stream":7,"grid":[1,1,1],"block":[32,1,1],"registers per thread":16}}]}"#
    }

    private static let hostileNames = [
        Hostile.json, String(repeating: "long", count: 2_500), String(repeating: "漢", count: 10_000),
        String(repeating: "<(", count: 5_000), "(((", "void ", "",
    ]

    private func profile(_ text: String) throws -> (TestWorkspace, Reference) {
        let made = try TestWorkspace()
        let path = made.folder.file("trace.json")
        File.write(text, to: path)
        return (made, Reference(try made.profiles.importProfile(path).summary))
    }

    @Test("names are escaped in every cell, at any size", arguments: hostileNames.indices)
    func names(index: Int) throws {
        let name = Self.hostileNames[index]
        let (made, reference) = try profile(Self.trace(name))
        for size in [Size(120, 40), Size(80, 24), Size(33, 9), Size(1, 1)] {
            let driver = ShellDriver.kernels(made.workspace, size: size, opening: reference)
            #expect(Hostile.dangers(on: driver.shell.draw()) == [])
            try driver.type("<tab>zSw")
            #expect(Hostile.dangers(on: driver.shell.draw()) == [])
            try driver.type("D")
            #expect(Hostile.dangers(on: driver.shell.draw()) == [])
            try driver.type("<esc>d<enter>o<esc>")
            #expect(Hostile.dangers(on: driver.shell.draw()) == [])
        }
    }

    @Test("a name is shown escaped, so that the user sees its control characters")
    func escaped() throws {
        let (made, reference) = try profile(Self.trace(Hostile.json))
        let driver = ShellDriver.kernels(made.workspace, opening: reference)
        #expect(driver.text.contains("␛[31mred"))
        try driver.type("y")
        let isClean = driver.asked {
            guard case .copy(let text) = $0 else { return false }
            return !text.unicodeScalars.contains("\u{1B}") && text.contains("␛[31mred")
        }
        #expect(isClean)
        withExtendedLifetime(made) {}
    }

    @Test("extreme times are drawn", arguments: ["1e300", "0", "1e-300", "9e18"])
    func times(duration: String) throws {
        let (made, reference) = try profile(Self.trace("kernel", duration: duration))
        let driver = ShellDriver.kernels(made.workspace, opening: reference)
        #expect(driver.text.contains("kernel"))
        try driver.type("y")
        withExtendedLifetime(made) {}
    }

    @Test("a thousand keys at any size each draw a complete screen", arguments: [1, 2, 3] as [UInt64])
    func endurance(seed: UInt64) throws {
        let made = try TestWorkspace.measured()
        let driver = ShellDriver.kernels(made.workspace)
        var random = Seeded(seed)
        // Nothing that measures, edits or writes files.
        let keys = [
            "j", "k", "<pgdn>", "<pgup>", "gg", "G", "h", "l", "<enter>", "<esc>", "<tab>", "<shift-tab>", "z", "]",
            "[",
            "n", "N", "v", "w", "S", "d<enter>", "d<esc>", "/gemm<enter>", "/\u{1B}[2J<enter>", "s<ctrl-u>7<enter>",
            "s<ctrl-u>999999999999<enter><esc>", "y", "t",
        ]
        for count in 0..<300 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                driver.handle(
                    .resize(Size(.random(in: 1...220, using: &random), .random(in: 1...70, using: &random))))
            case 1:
                let gesture: Mouse.Action = [.press, .doubleClick, .scrollUp, .scrollDown].randomElement(
                    using: &random)!
                let point = Point(
                    column: .random(in: 0..<driver.shell.size.columns, using: &random),
                    row: .random(in: 1..<max(2, driver.shell.size.rows), using: &random))
                driver.handle(.mouse(Mouse(gesture, at: point)))
            default: try driver.type(keys.randomElement(using: &random)!)
            }
            let screen = driver.shell.draw()
            let dangers = Hostile.dangers(on: screen)
            #expect(dangers.isEmpty, "seed \(seed), step \(count), \(screen.size)")
            if !dangers.isEmpty { return }
        }
    }
}
