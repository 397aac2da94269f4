import Console
import Evals
import Workbench

/// Drives the evals page with runs in memory; its streams run at once.
typealias EvalDriver = PageDriver<EvalPage>

extension PageDriver where P == EvalPage {
    /// - Parameter rater: Rater of the queue, because the default is the user who runs the tests.
    convenience init(
        _ desk: MemoryEvalDesk = EvalWorkspace.desk(), size: Size = Size(120, 40), saved: String? = nil,
        rater: String = "ada", runsStreams: Bool = true
    ) throws {
        let made = try TestWorkspace()
        self.init(
            made.workspace, size: size, saved: saved ?? #"{"rater": "\#(rater)"}"#, runsStreams: runsStreams,
            owner: made
        ) { EvalPage($0, desk: desk) }
    }

    var desk: MemoryEvalDesk { page.engine as! MemoryEvalDesk }

    /// Lines of the open question.
    var questionLines: [String] { if case .question(let question) = dialog { question.lines } else { [] } }
}
