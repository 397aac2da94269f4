import Console
import Workbench
import Workspace

extension ShellDriver {
    /// A shell with the kernel panel in front.
    ///
    /// - Parameter isRestored: Whether to restore the last screen.
    static func kernels(
        _ workspace: Workspace, size: Size = Size(120, 40), opening: Reference? = nil, isRestored: Bool = false
    ) -> ShellDriver {
        ShellDriver(
            workspace, size: size, panels: [PanelEntry(KernelPage.self), PanelEntry(TracePage.self)],
            opening: opening, isHeadless: !isRestored)
    }

    /// The rows of the screen that show a text.
    func rows(with text: String) -> [String] {
        self.text.split(separator: "\n").map(String.init).filter { $0.contains(text) }
    }
}
