#!/usr/bin/env python3
"""Makes the small profiles beside this file: invented, so that every figure can be checked on paper.

Run it here without arguments; the files come out byte for byte the same. The figures that the tests expect are worked
out in the tests' comments, and by hand_computed.py for all files, not here.
"""

import json
import os
import sqlite3

HERE = os.path.dirname(os.path.abspath(__file__))


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def quoted(fields):
    return ",".join('"' + str(field).replace('"', '""') + '"' for field in fields) + "\n"


DESCRIPTIVE = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size",
               "Grid Size", "Device", "CC"]


def sass(letter, operation, suffix=".sum"):
    return f"smsp__sass_thread_inst_executed_op_{letter}{operation}_pred_on{suffix}"


def wide(name, metrics, launches, preamble="", ending="\n", repeat_header=False):
    """metrics: (name, unit); launches: (descriptive tail, values by name)."""
    order = sorted(metrics)
    header = quoted(DESCRIPTIVE + [metric for metric, _ in order])
    units = quoted([""] * len(DESCRIPTIVE) + [unit for _, unit in order])
    text = preamble + header + units
    for number, (description, values) in enumerate(launches):
        if repeat_header and number == 1:
            text += header + units
        row = [number, 4242, "/opt/decoder", "node7"] + description
        text += quoted(row + [values.get(metric, "N/A") for metric, _ in order])
    write(name, text.replace("\n", ending))


def nsight_wide():
    metrics = [("gpu__time_duration.sum", "usecond"), ("dram__bytes_read.sum", "Mbyte"),
               ("dram__bytes_write.sum", "Mbyte"), ("lts__t_sectors.sum", "sector"), ("l1tex__t_bytes.sum", "Mbyte"),
               ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", ""), ("launch__registers_per_thread", "register/thread"),
               ("launch__shared_mem_per_block_static", "Kbyte/block"),
               ("launch__shared_mem_per_block_dynamic", "byte/block"),
               ("sm__warps_active.avg.pct_of_peak_sustained_active", "%"),
               ("smsp__cycles_elapsed.avg.per_second", "Ghz"), ("dram__cycles_elapsed.avg.per_second", "Ghz"),
               ("device__attribute_display_name", ""), ("lts__t_sector_hit_rate.pct", "%"),
               ("smsp__inst_executed.sum", "inst")]
    metrics += [(sass(letter, operation), "inst") for letter in "fdh" for operation in ("add", "mul", "fma")]
    tensor = "sm__ops_path_tensor_src_bf16_dst_fp32"
    metrics += [(tensor + end + ".sum", "") for end in ("", "_sparsity_off", "_sparsity_on")]
    metrics += [("sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_off.sum", ""),
                ("sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_on.sum", ""),
                ("sm__ops_path_tensor_src_fp16_dst_fp32.sum", ""),
                ("sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum", "")]
    none = {sass(letter, operation): "0" for letter in "fdh" for operation in ("add", "mul", "fma")}
    no_tensor = {metric: "0" for metric, _ in metrics if metric.startswith("sm__ops")}
    card = {"device__attribute_display_name": "Invented GPU 80GB", "smsp__cycles_elapsed.avg.per_second": "1.50",
            "dram__cycles_elapsed.avg.per_second": "2.60"}
    launches = [
        (["void axpy<float>(int, float, const float *, float *)", 1, 7, "(256, 1, 1)", "(4096, 1, 1)", 0, "9.0"],
         {**none, **no_tensor, **card, "gpu__time_duration.sum": "1,000.00", sass("f", "add"): "1,000,000",
          sass("f", "mul"): "2,000,000", sass("f", "fma"): "500,000,000", "dram__bytes_read.sum": "1,500.00",
          "dram__bytes_write.sum": "500.00", "lts__t_sectors.sum": "100,000,000", "l1tex__t_bytes.sum": "4,000.00",
          "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "1,000", "launch__registers_per_thread": "32",
          "launch__shared_mem_per_block_static": "1.02", "launch__shared_mem_per_block_dynamic": "2,048",
          "sm__warps_active.avg.pct_of_peak_sustained_active": "62.50", "lts__t_sector_hit_rate.pct": "nan",
          "smsp__inst_executed.sum": "24,000 (10,000; 14,000)"}),
        (["gemm_bf16", 1, 7, "(128, 1, 1)", "(64, 32, 1)", 0, "9.0"],
         {**none, **card, "gpu__time_duration.sum": "200.00", tensor + ".sum": "80,000,000,000",
          tensor + "_sparsity_off.sum": "80,000,000,000", tensor + "_sparsity_on.sum": "0",
          "sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_off.sum": "3,000,000",
          "sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_on.sum": "1,000,000",
          "sm__ops_path_tensor_src_fp16_dst_fp32.sum": "6,000,000",
          "sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum": "80,006,000,000",
          sass("f", "fma"): "1,000,000", sass("h", "fma"): "250,000", sass("h", "add"): "100,000",
          "dram__bytes_read.sum": "64.00", "dram__bytes_write.sum": "16.00", "lts__t_sectors.sum": "10,000,000",
          "l1tex__t_bytes.sum": "640.00", "launch__registers_per_thread": "168",
          "smsp__inst_executed.sum": "(1,000; 3,000)"}),
        (["copy_kernel(\"a,b\")", 1, 9, "(256, 1, 1)", "(1024, 1, 1)", 1, "8.0"],
         {**none, **no_tensor, "device__attribute_display_name": "Other GPU", "gpu__time_duration.sum": "10.00",
          "dram__bytes_read.sum": "8.00", "dram__bytes_write.sum": "8.00"}),
    ]
    preamble = ("step 1, loss 2.31 \"fine\n==PROF== Connected to process 4242 (/opt/decoder)\n"
                "==PROF== Profiling \"axpy\" - 0: 0%....50%....100% - 8 passes\nID of nothing\n")
    wide("ncu-wide.csv", metrics, launches, preamble)
    wide("ncu-wide-crlf.csv", metrics, launches, "\ufeff", "\r\n", repeat_header=True)


def nsight_roofline():
    """What the charts of the tool collect: rates a cycle, and the file's own peaks."""
    cycle = ".sum.per_cycle_elapsed"
    metrics = [("gpu__time_duration.sum", "nsecond"), ("smsp__cycles_elapsed.avg.per_second", "cycle/nsecond"),
               ("sm__cycles_elapsed.avg.per_second", "cycle/nsecond"),
               ("l1tex__cycles_elapsed.avg.per_second", "cycle/nsecond"),
               ("lts__cycles_elapsed.avg.per_second", "cycle/nsecond"),
               ("dram__cycles_elapsed.avg.per_second", "cycle/nsecond"), ("dram__bytes.sum.per_second", "Gbyte/second"),
               ("dram__bytes.sum.peak_sustained", "Kbyte/cycle"),
               ("l1tex__m_xbar2l1tex_read_bytes.sum.per_second", "Gbyte/second"),
               ("l1tex__m_xbar2l1tex_read_bytes.sum.peak_sustained", "Kbyte/cycle"),
               ("l1tex__lsu_writeback_active_mem_lg.sum.per_second", "cycle/nsecond"),
               ("l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained", ""),
               (sass("f", "add", cycle), "inst/cycle"), (sass("f", "mul", cycle), "inst/cycle"),
               ("derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", "inst"),
               ("derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2", "inst"),
               ("sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", "inst/cycle")]
    metrics += [(sass("d", operation, cycle), "inst/cycle") for operation in ("add", "mul")]
    metrics += [("derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2", "inst")]
    launches = [(["stencil", 1, 7, "(128, 1, 1)", "(512, 1, 1)", 0, "8.0"], {
        "gpu__time_duration.sum": "50,000", "smsp__cycles_elapsed.avg.per_second": "1.20",
        "sm__cycles_elapsed.avg.per_second": "1.20", "l1tex__cycles_elapsed.avg.per_second": "1.20",
        "lts__cycles_elapsed.avg.per_second": "1.00", "dram__cycles_elapsed.avg.per_second": "1.50",
        "dram__bytes.sum.per_second": "900.00", "dram__bytes.sum.peak_sustained": "1.00",
        "l1tex__m_xbar2l1tex_read_bytes.sum.per_second": "1,500.00",
        "l1tex__m_xbar2l1tex_read_bytes.sum.peak_sustained": "5.12",
        "l1tex__lsu_writeback_active_mem_lg.sum.per_second": "20.00",
        "l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained": "108",
        sass("f", "add", cycle): "100.00", sass("f", "mul", cycle): "50.00",
        "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2": "850.00",
        "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2": "13,824",
        sass("d", "add", cycle): "0", sass("d", "mul", cycle): "0",
        "derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2": "0",
        "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained": "3,456"})]
    wide("ncu-roofline.csv", metrics, launches)


def nsight_volta():
    metrics = [("gpu__time_duration.sum", "msecond"), ("sm__inst_executed_pipe_tensor.sum", "inst"),
               ("dram__bytes.sum", "Gbyte")]
    wide("ncu-volta.csv", metrics, [(["volta_h884gemm", 1, 7, "(256, 1, 1)", "(80, 1, 1)", 0, "7.0"],
                                     {"gpu__time_duration.sum": "2.00", "sm__inst_executed_pipe_tensor.sum": "100,000,000",
                                      "dram__bytes.sum": "0.50"})])


def nsight_long():
    header = DESCRIPTIVE + ["Section Name", "Metric Name", "Metric Unit", "Metric Value"]
    text = "==PROF== Connected to process 1\n" + quoted(header)

    def rows(number, kernel, grid, values):
        describe = [number, 1, "app", "127.0.0.1", kernel, 1, 7, "(64, 1, 1)", grid, 0, "8.6"]
        return "".join(quoted(describe + ["Command line profiler metrics", metric, unit, value])
                       for metric, unit, value in values)

    counts = [("dram__bytes.sum", "Kbyte", "512.00"), ("gpu__time_duration.sum", "us", "4.00"),
              (sass("f", "add"), "inst", "64,000"), (sass("f", "mul"), "inst", "0"), (sass("f", "fma"), "inst", "128,000")]
    text += rows(0, "scale", "(100, 1, 1)", counts)
    text += rows(1, "scale", "(200, 1, 1)", [(m, u, v if m != "dram__bytes.sum" else "(!) n/a") for m, u, v in counts])
    write("ncu-long.csv", text)

    header = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream",
              "Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type",
              "Rule Description"]
    text = quoted(header)
    start = [0, 9, "app", "127.0.0.1", "reduce", "2026-Nov-02 10:00:00", 1, 7]
    speed = "GPU Speed Of Light Throughput"
    for section, metric, unit, value in [
            (speed, "DRAM Frequency", "Ghz", "1.20"), (speed, "SM Frequency", "Ghz", "1.10"),
            (speed, "Elapsed Cycles", "cycle", "11,000"), (speed, "Memory Throughput", "%", "55.00"),
            (speed, "Duration", "us", "10.00"), ("Memory Workload Analysis", "Memory Throughput", "Gbyte/second", "400.00"),
            ("Launch Statistics", "Registers Per Thread", "register/thread", "40"),
            ("Launch Statistics", "Static Shared Memory Per Block", "Kbyte/block", "4.10"),
            ("Launch Statistics", "Dynamic Shared Memory Per Block", "byte/block", "0"),
            ("Occupancy", "Achieved Occupancy", "%", "80.00")]:
        text += quoted(start + [section, metric, unit, value, "", "", ""])
    text += quoted(start + [speed, "", "", "", "SOLBottleneck", "Warning",
                            "This kernel, as it is,\nuses \"little\" of both."])
    write("ncu-details.csv", text)


def event(name, category, start, duration, pid, tid, args):
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": duration, "args": args}


def kineto():
    bf16 = ["c10::BFloat16", "c10::BFloat16", ""]

    def operator(name, start, duration, number, dims, types, concrete=None, tid=100):
        args = {"External id": number, "Input Dims": dims, "Input type": types}
        if concrete:
            args["Concrete Inputs"] = concrete
        return event(name, "cpu_op", start, duration, 50, tid, args)

    def kernel(name, start, duration, correlation, number=None):
        args = {"device": 0, "context": 1, "stream": 7, "correlation": correlation, "registers per thread": 96,
                "shared memory": 49152, "grid": [128, 2, 1], "block": [128, 1, 1], "est. achieved occupancy %": 25}
        if number is not None:
            args["External id"] = number
        return event(name, "kernel", start, duration, 0, 7, args)

    def launch(start, correlation, tid=100, **more):
        return event("cudaLaunchKernel", "cuda_runtime", start, 4.0, 50, tid, {"correlation": correlation, **more})

    events = [
        {"ph": "M", "name": "process_name", "pid": 50, "tid": 0, "args": {"name": "python"}},
        operator("aten::linear", 1000.0, 60.0, 10, [[64, 4096], [4096, 4096], []], bf16),
        operator("aten::mm", 1010.5, 40.0, 11, [[64, 4096], [4096, 4096]], bf16[:2]),
        operator("aten::scaled_dot_product_attention", 1100.0, 80.0, 12,
                 [[2, 8, 128, 64], [2, 8, 128, 64], [2, 8, 128, 64], [], [], [], []], bf16,
                 ["", "", "", "", "0.", "True", ""]),
        operator("aten::_scaled_dot_product_flash_attention", 1105.0, 60.0, 13,
                 [[2, 8, 128, 64], [2, 8, 128, 64], [2, 8, 128, 64], [], []], bf16, ["", "", "", "0.", "True"]),
        operator("aten::add", 1200.0, 10.0, 14, [[64, 4096], [64, 4096], []], bf16),
        operator("aten::bmm", 1300.0, 10.0, 15, [[4, 32, 64], [4, 64, 16]], ["float", "float"]),
        launch(1020.0, 501), launch(1024.0, 502), launch(1120.0, 503), launch(1203.0, 504),
        launch(1304.0, 505, **{"External id": 15}),
        kernel("sm90_gemm_bf16", 1050.25, 50.0, 501, 11),
        kernel("splitK_reduce", 1101.0, 5.0, 502, 11),
        kernel("flash_fwd_kernel", 1180.0, 20.0, 503, 13),
        kernel("vectorized_add", 1230.0, 8.0, 504),
        kernel("sgemm_batched", 1330.0, 4.0, 505),
        kernel("foreign_kernel", 1400.0, 2.0, 999),
        event("Memcpy HtoD (Pageable -> Device)", "gpu_memcpy", 1500.0, 3.0, 0, 7, {"bytes": 1024, "device": 0}),
        {"ph": "s", "id": 501, "pid": 50, "tid": 100, "ts": 1020.0, "cat": "ac2g", "name": "ac2g"},
        {"ph": "i", "name": "Iteration Start: PyTorch Profiler", "s": "g", "pid": "Traces", "tid": "Trace", "ts": 999.0},
    ]
    trace = {"schemaVersion": 1, "deviceProperties": [
        {"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85029158912, "computeMajor": 9, "computeMinor": 0,
         "numSms": 132}], "record_shapes": 1, "with_flops": 1, "displayTimeUnit": "ms",
        "baseTimeNanoseconds": 1790000000000000000, "traceEvents": events, "traceName": "a \"trace\" ]}.json"}
    write("kineto-gpu.json", json.dumps(trace, indent=2) + "\n")

    float2 = ["float", "float"]
    events = [
        operator("aten::linear", 0.0, 100.0, 1, [[32, 128], [256, 128], [256]], float2, tid=1),
        operator("aten::t", 1.0, 2.0, 2, [[256, 128]], float2, tid=1),
        operator("aten::addmm", 5.0, 90.0, 3, [[256], [32, 128], [128, 256], [], []], float2, tid=1),
        operator("aten::expand", 6.0, 1.0, 4, [[256]], float2, tid=1),
        operator("aten::relu", 110.0, 10.0, 5, [[32, 256]], float2, tid=1),
        operator("aten::clamp_min", 111.0, 8.0, 6, [[32, 256]], float2, tid=1),
        operator("aten::conv2d", 200.0, 500.0, 7, [[1, 3, 32, 32], [8, 3, 3, 3], [8]], float2,
                 ["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"], tid=1),
        operator("aten::mm", 200.0, 50.0, 8, [], [], tid=2),
    ]
    # The format allows the array alone, and one that was never closed.
    write("kineto-cpu.json", "[\n" + ",\n".join(json.dumps(entry) for entry in events) + ",\n")


def nsight_systems():
    path = os.path.join(HERE, "nsys.sqlite")
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.executescript("""
        PRAGMA page_size = 1024;
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT, computeMajor INTEGER, computeMinor INTEGER);
        CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,
            deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER,
            globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL,
            registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
            blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
            staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL);
        """)
    db.executemany("INSERT INTO StringIds VALUES (?, ?)",
                   [(1, "void softmax<float>(float *, int)"), (2, "softmax"), (3, "void gemm<half>(half *)"), (4, "gemm")])
    db.execute("INSERT INTO TARGET_INFO_GPU VALUES (5, 'NVIDIA A100-SXM4-80GB', 8, 0)")
    db.execute("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (5, 0, 77)")
    row = "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,1,?,?,77,?,?,?,?,?,1,?,1,1,?,?)"
    db.execute(row, (2000150, 2000400, 7, 12, 3, 4, 128, 64, 16, 256, 16384, 32768))
    db.execute(row, (2000000, 2000100, 7, 11, 1, 2, 32, 100, 1, 128, 0, 512))
    db.execute(row, (2000500, 2000500, 13, 13, 99, 4, 32, 1, 1, 32, 0, 0))
    db.commit()
    db.execute("VACUUM")
    db.close()

    path = os.path.join(HERE, "foreign.sqlite")
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT)")
    db.commit()
    db.close()


def rocprof():
    write("rocprof-trace.csv", quoted(
        ["Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id", "Kernel_Name",
         "Correlation_Id", "Start_Timestamp", "End_Timestamp", "LDS_Block_Size", "Scratch_Size", "VGPR_Count",
         "Accum_VGPR_Count", "SGPR_Count", "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X",
         "Grid_Size_Y", "Grid_Size_Z"])
        + quoted(["KERNEL_DISPATCH", "Agent 4", 1, 0, 88, 1, 9, "void axpy(float*, int) [clone .kd]", 1,
                  1790000000000000100, 1790000000000005100, 1024, 0, 24, 0, 32, 256, 1, 1, 65536, 1, 1])
        + quoted(["KERNEL_DISPATCH", "Agent 4", 1, 0, 88, 2, 9, "void axpy(float*, int) [clone .kd]", 2,
                  1790000000000010100, 1790000000000014100, 1024, 0, 24, 0, 32, 256, 1, 1, 65536, 2, 1]))

    header = ["Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id", "Thread_Id", "Grid_Size",
              "Kernel_Id", "Kernel_Name", "Workgroup_Size", "LDS_Block_Size", "Scratch_Size", "VGPR_Count",
              "Accum_VGPR_Count", "SGPR_Count", "Counter_Name", "Counter_Value", "Start_Timestamp", "End_Timestamp"]
    counters = [("SQ_INSTS_VALU_ADD_F32", 1000), ("SQ_INSTS_VALU_MUL_F32", 2000), ("SQ_INSTS_VALU_TRANS_F32", 500),
                ("SQ_INSTS_VALU_FMA_F32", 10000), ("SQ_INSTS_VALU_MFMA_MOPS_F16", 4000),
                ("TCC_EA0_RDREQ_sum", 30000), ("TCC_EA0_RDREQ_32B_sum", 10000), ("TCC_EA0_WRREQ_sum", 8000),
                ("TCC_EA0_WRREQ_64B_sum", 6000), ("TCC_REQ_sum", 50000)]
    text = quoted(header)
    for dispatch in (1, 2):
        for name, value in counters:
            text += quoted([dispatch, dispatch, 4, 1, 88, 88, 65536, 9, "gemm", 256, 0, 0, 64, 128, 48, name,
                            value * dispatch, 5000 * dispatch, 5000 * dispatch + 2000])
    write("rocprof-counters.csv", text)

    header = ["Dispatch_ID", "GPU_ID", "Queue_ID", "PID", "TID", "Grid_Size", "Workgroup_Size", "LDS_Per_Workgroup",
              "Scratch_Per_Workitem", "Arch_VGPR", "Accum_VGPR", "SGPR", "wave_size", "Kernel_Name", "Start_Timestamp",
              "End_Timestamp"] + [name for name, _ in counters]
    write("rocprof-compute.csv", ",".join(header) + "\n"
          + ",".join(str(field) for field in [0, 2, 1, 88, 88, 65536, 256, 0, 0, 64, 128, 48, 64, "\"gemm, tiled\"",
                                              1000, 3000] + [value for _, value in counters]) + "\n")


def perf():
    write("perf-stat.csv", """# started on Mon Nov  2 10:00:00 2026

2000.50,msec,task-clock,2000500000,100.00,1.990,CPUs utilized
8000000000,,cycles,2000000000,100.00,4.000,GHz
16000000000,,instructions:u,2000000000,100.00,2.00,insn per cycle
<not supported>,,LLC-load-misses,0,100.00,,
1000000000,,fp_arith_inst_retired.scalar_single,2000000000,100.00,,
0,,fp_arith_inst_retired.128b_packed_single,2000000000,100.00,,
500000000,,fp_arith_inst_retired.256b_packed_single,2000000000,100.00,,
250000000,,fp_arith_inst_retired.512b_packed_single,1000000000,50.00,,
40000000,,cache-misses,2000000000,100.00,5.00,% of all cache refs
7,,cpu/event=0x3c,umask=0x0/,2000000000,100.00,,
1005000000,ns,duration_time,1005000000,100.00,,
""")
    write("perf-interval.csv", """     0.500000000,1000000000,,cycles,500000000,100.00,,
     0.500000000,<not counted>,,instructions,0,0.00,,
     1.250000000,3000000000,,cycles,750000000,100.00,,
     1.250000000,600,,instructions,750000000,100.00,,
""")


nsight_wide()
nsight_roofline()
nsight_volta()
nsight_long()
kineto()
nsight_systems()
rocprof()
perf()
