"""Kernels of a batch: source text for a train and its varying numbers, compiled for vectors of a CPU or for a GPU.

The text is straight scalar code over local variables, the same for all devices (`phase_text`, `force_text`,
`kernel_text`). A frame puts it into loops: `kernel_text.VectorFrame` with the loop over lanes innermost, so that
the compiler makes vectors, and `kernel_text.LaneFrame` with one lane for each thread.

Identifiers in the text:

    q_i v_i      deviation and its rate at the start of a step,  y_i u_i  at a stage,  a_i  acceleration
    c_g_h s_g_h  cosine and sine of h times the phase of group g,  n_g  its fraction of a cycle
    s_k F_k      approach of mesh k with its errors, and its hoop force
"""
