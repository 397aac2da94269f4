import Evals
import Hashing
import JSON
import LanguageModels
import System
import Testing

private let base = """
    task: t
    dataset_path: json
    dataset_kwargs: {data_files: {test: rows.jsonl}}
    test_split: test
    doc_to_text: "{{q}}"
    doc_to_target: "{{a}}"

    """
private let rows = "{\"q\": \"one\", \"a\": \"1\"}\n{\"q\": \"two\", \"a\": \"2\"}\n"

/// Returns the error of a task, without its folder; `nil` if there is none.
private func refusal(_ yaml: String, rows: String = rows) -> String? {
    let folder = TextFiles.folder(["t.yaml": yaml, "rows.jsonl": rows])
    do throws(Problem) {
        _ = try LMEvalTask.load(path: folder + "/t.yaml")
        return nil
    } catch {
        return String(error.sentence.replacing(folder + "/", with: ""))
    }
}

@Test(
    "unsupported parts are errors with name and line",
    arguments: [
        ("process_docs: !function utils.f\n", "t.yaml, line 7: `!function utils.f` is Python"),
        ("metric_list:\n  - metric: rouge\n", "t.yaml, line 8: the metric `rouge` is not supported"),
        ("metric_list:\n  - metric: acc\n", "t.yaml, line 8: the metric `acc` does not support `generate_until`"),
        (
            "filter_list:\n  - name: a\n    filter:\n      - function: spell\n",
            "t.yaml, line 10: unknown filter `spell`"
        ),
        ("generation_kwargs:\n  beams: 3\n", "t.yaml, line 8: unsupported key `beams` in `generation_kwargs`"),
        ("surprise: 1\n", "t.yaml, line 7: unknown key `surprise`"),
        ("output_type: guess\n", "t.yaml, line 7: unknown `output_type: guess`"),
        ("num_fewshot: 5\n", "t.yaml, line 1: 5 examples are requested, but the data has only 2 rows"),
        (
            "description: \"{{nobody}}\"\n",
            "t.yaml, line 7: Template, line 1, column 3: `nobody` is undefined: the row has q, a"
        ),
        ("description: \"{{ q\"\n", "t.yaml, line 7: Template, line 1"),
        ("a: [1\n", "t.yaml, line "),
    ])
func refusals(lines: String, sentence: String) throws {
    let found = try #require(refusal(base + lines))
    #expect(found.hasPrefix(sentence), "\(found)")
}

@Test("hub datasets, Parquet, and broken rows are errors with their line")
func dataRefusals() throws {
    let hub = base.replacing("dataset_path: json", with: "dataset_path: openai/gsm8k")
    #expect(try #require(refusal(hub)).hasPrefix("t.yaml, line 2: `dataset_path: openai/gsm8k` is not supported"))
    let parquet = base.replacing("dataset_path: json", with: "dataset_path: parquet")
    #expect(try #require(refusal(parquet)).contains("pandas.read_parquet(\"FILE.parquet\").to_json("))
    #expect(
        try #require(refusal(base, rows: "{\"q\": 1}\n{broken\n")).hasPrefix(
            "rows.jsonl, line 2: the line is not a JSON"))
    #expect(try #require(refusal(base, rows: "")).contains("the dataset has no rows"))
    #expect(refusal(base) == nil)
}

@Test("an included file is overridden by the file that includes it; a group gives its tasks")
func includesAndGroups() throws {
    let folder = TextFiles.folder([
        "base.yaml": base, "rows.jsonl": rows, "t2.yaml": "include: base.yaml\ntask: t2\ndescription: \"Say: \"\n",
        "all.yaml": "group: all\ntask: [t2, base]\n", "loop.yaml": "include: loop.yaml\n",
    ])
    let tasks = try LMEvalTask.load(path: folder + "/all.yaml")
    #expect(tasks.map(\.name) == ["t2", "t"])
    let sample = try #require(tasks.first?.samples.first)
    guard case .generation(let request) = sample.request, case .text(let text) = request.input else {
        Issue.record("no text is asked")
        return
    }
    #expect(text == "Say: one")
    #expect(request.sampling.stop == ["\n\n"])
    #expect(throws: Problem.self) { try LMEvalTask.load(path: folder + "/loop.yaml") }
}

@Test(
    "digests equal SHA-256",
    arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (String(repeating: "a", count: 119), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    ])
func digests(text: String, digest: String) { #expect(SHA256.hexadecimal(text) == digest) }
