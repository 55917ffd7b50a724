vdnn-profile 2
key NVIDIA H200, CUDA 13.0, driver 13.0, capability 9.0, cuBLAS 130100, cuDNN 91900, 1 threads
device cuda nchw fused 1 150109880320 148545011712 106670237280
rate copy_both_bytes_per_second 99062444305.316666
rate copy_in_beside_bytes_per_second 55058774892.976059
rate copy_in_bytes_per_second 55477276923.462425
rate copy_in_slows_moves 1.1212679659757192
rate copy_in_slows_products 1
rate copy_latency_seconds 2.7839988470077534e-06
rate copy_out_beside_bytes_per_second 54949615817.165688
rate copy_out_bytes_per_second 55220178739.117271
rate copy_out_slows_moves 1.016790406936583
rate copy_out_slows_products 1
rate elementwise_bytes_per_second 4153372933974.8447
rate launch_seconds 3.398500382900239e-06
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.040244472481310363 7399047168
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.034258044101070348 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0032492733970284466 1644757395
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.010734969891607762 7401406464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.16150620604654717 2143027200 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.19546571955931483 1963130880 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.02890402642637491 29196288
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.027906745947897438 462716928
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.081749827194209188 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0026332735493779179 1644757139
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0078650177493691433 7401406464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.1612491187675863 2143027200 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.19477513640419714 1963130880 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.016670616544783117 58097664
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.014382393456995487 925138944
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.086796778654099058 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.002731673516333103 1652425383
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.012843769408762456 7401406464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.14393573474980501 2143027200 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.17794188552043114 1963130880 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.033632729925215245 28901376
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.033260472096502777 513802240
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.81764683372521429 4096
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.14088551161825363 18874368
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.049781839544277298 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0012577134771272539 295299
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.029584242741577328 29196288
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.028435698191635311 462716928
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0012696814639493823 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.019025969426147638 58097664
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.016469617406837642 925138944
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0014101615352556107 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.029912146489135916 29491200
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.027699792782776057 463011840
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.017324186004698275 3699523840
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.016481089793982915 147712
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0024062654152512551 1233420691
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0052656897082924842 5550391552
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.053230329281869077 1131479040
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.071117400171408343 996556800
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.016137784399092196 14598144
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.015064026273787022 231358464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.041073725452654523 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0019030973687767982 1233420435
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0051727935448288923 5550391296
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.053359569586402922 1131479040
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.069790360022009362 996556800
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0086672252789139741 29048832
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0073488573208451285 462569472
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.042955659779034171 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0018917373791337015 1237254823
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0080827137008309367 5550391296
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0502843949031508 1131479040
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.063414583921001924 996556800
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.018680793203413489 14450688
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.017871865667402745 282591232
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.82594672215375275 4096
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.084025505567159847 9437184
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.022499092249107809 147712
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00070273749064654113 147843
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.016658195110625197 14598144 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.015414895335891654 231358464 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00090347347687929887 147587
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.010341937939636409 29048832
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0083980338973924512 462569472
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00084990553092211484 4424359
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.016866321050787468 14745600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.014376081337419033 231505920
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x128x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 32 0.00017189900018274785 295299
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x128x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 32 0.00017087502218782901 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x128x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 32 0.00021042699553072453 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x64x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 32 0.00010130701400339602 147843
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x64x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 32 0.00014082697965204713 147587
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x64x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 32 0.00013900301791727542 4424359
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x128x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 64 0.00032183753978461024 295299
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x128x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 64 0.0003268934739753604 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x128x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 64 0.00037732547055929896 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x64x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 64 0.000187277521006763 147843
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x64x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 64 0.00023985346686094999 147587
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x64x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 64 0.00023911749850958591 4424359
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=85x128x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 85 0.00042374250292778016 295299
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=85x128x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 85 0.0004232624769210815 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=85x128x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 85 0.00048870247602462774 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=85x64x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 85 0.00024403047561645508 147843
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=85x64x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 85 0.00031315052509307855 147587
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=85x64x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 85 0.00030607849359512326 4424359
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=86x128x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 86 0.00042844647169113154 295299
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=86x128x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 86 0.00042825451493263249 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=86x128x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 86 0.00049379047751426709 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=86x64x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 86 0.000246462494134903 147843
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=86x64x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 86 0.00031577450037002569 147587
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=86x64x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 86 0.00030985447764396667 4424359
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x128x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 128 0.00030285196192562577 590467
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x128x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 128 0.00031734799034893513 589955
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x128x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 128 0.00038080401904881005 17695399
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 128 0.00059072400815784933 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 128 0.00056912400014698492 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 128 0.00064992402680218218 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 128 0.0005899239946156739 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 128 0.00056816400773823249 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 128 0.00064909197576344007 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.01580293742567301 1850278400
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.016376881279095486 590336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0014248894825577736 617742995
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.003758425571024418 2779841024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.045913496915004792 1050869760 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.063602403443695124 982302720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0093523458614945421 7815168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0077882174625992775 116195328
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.039022732179957567 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0011120575144886972 617742483
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0035248896256089208 2779840512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.045263426646572846 1050869760 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.063043332404525282 982302720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.00583666554838419 15040512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0039075134769082078 231800832
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.043960865003552257 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0012032895162701607 633078439
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.005288057304918767 2779840512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.039664609815047241 1050869760 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.054758101040340325 982302720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0105814985409379 7225344
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0091924732103943821 141295616
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.20154935119730127 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.065723988954823537 37748736
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.021983817035020909 590336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00059598557185381663 590467
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.009406865676149961 7815168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0078210737509652965 116195328
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00062132952641695744 589955
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0065470256013795726 15040512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0044669937295839183 231800832
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00071150557231158015 17695399
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0095225781602785008 8404992
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0073007539911195633 116785152
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.03166386584192514 3700555776
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.037108253310699009 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0021385535374283788 824443539
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0077408572807908058 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.1503380902806366 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.18282705928335741 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.016449368871748447 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.014438905276358129 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.075644529264796367 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0018291135206818579 824443027
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0062391615286469465 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.14959673378138366 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.18163407778918186 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0093844408169388768 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00754421714693308 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.086444151605986577 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0018927295580506327 840958631
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0078424576297402397 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.1348963761799099 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.17097493289913124 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.018156633771955966 14450688
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.017087992943823339 256901120
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.22694202992941181 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.1261859981315768 75497472
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.031156857229769231 3700556288
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.036111808606397539 1180160
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0021331456080079078 824443539
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0063688893690705302 3709993472
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.15032108692964688 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.18289257022766947 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.01665580026060343 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.01467736915498972 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.075977725959371786 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0018291135206818579 824443027
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0062391615286469465 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.14959673378138366 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.18163407778918186 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0093844408169388768 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00754421714693308 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.086444151605986577 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0018927295580506327 840958631
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0078424576297402397 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.1348963761799099 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.17097493289913124 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.018156633771955966 14450688
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.017087992943823339 256901120
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.22694202992941181 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.1261859981315768 75497472
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.053054333339405443 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0011684974236413836 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.016322321812622251 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.014513105551712216 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0011577774686738849 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.010714929501526058 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0085861618323251621 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0012605294985696674 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.016189744870178404 16809984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.014269713322632015 233570304
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.051298908931866678 1180160
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0011634094519540669 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.016522737423889339 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.014697841863147914 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0011577774686738849 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.010714929501526058 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0085861618323251621 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0012605294985696674 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.016189744870178404 16809984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.014269713322632015 233570304
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x128x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 32 8.565900661051273e-05 590467
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x128x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 32 9.3339005485177046e-05 589955
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x128x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 32 0.00012873099185526374 17695399
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 32 0.0001574989948421717 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 32 0.00015279499627649787 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 32 0.00019826699234545234 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 32 0.00015823499299585816 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 32 0.00015276298858225346 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 32 0.00019810698367655279 21234343
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.018303092940092313 927204352
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.017376353860488671 2360320
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0010174015536904334 313001107
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0029930816069245335 1408500736
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.037308046887112284 1022361600 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.053878074954649309 986972160 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0061334013119339944 5971968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0042718974724411966 60162048
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.038921423645487049 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00082159350067377102 313000083
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0028930175080895421 1408499712
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.035391506623993818 1022361600 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.055185259146471592 986972160 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0040292410030961043 9584640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0022326014414429667 117964800
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.047306018721414829 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.000942233480513096 316932847
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0033623615875840187 1408499712
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.041221445140959531 1022361600 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.055199822834253842 986972160 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0064628729000687606 3612672
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0050806016102433208 70647808
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.10196842171731646 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.063434363621740653 150994944
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.024579795695549377 2360320
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00058913753461092703 2360451
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0060893944902345558 5971968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0042259053392335773 60162048
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00056939355563372378 2359427
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0043444337053224445 9584640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0025550894541665915 117964800
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0006919855875894427 13370095
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0059749621553346517 8331264
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0042293936414644125 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0095897944436414695 467140608 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0094873940805955213 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00045196155458688728 112198803
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0019487933889031413 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.010419141678556993 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0226804474483055 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0070125330787442789 6524928
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0037716417334466884 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.020287990457260145 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00040332148224115374 112197779
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0017714814320206641 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0098633636228157556 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.020957523217774741 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0054854734940333163 8331264
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.002454297639429569 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.023628095151858718 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00051477745920419703 120062703
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0021263614073395729 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.01077420777853229 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.019551044703892025 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0071667384148503127 1806336
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0025491454973816871 32112640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.040230638563154501 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.033060084226893084 301989888 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.0092927443156095892 467141632 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0093910539065068105 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00045308146625757214 112198803
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0018306175246834754 646448128
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.010439136902191434 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.022706350075911246 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0070451001225415606 6524928
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0037908795216337913 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.020328132843060745 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00040332148224115374 112197779
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0017714814320206641 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0098633636228157556 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.020957523217774741 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0054854734940333163 8331264
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.002454297639429569 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.023628095151858718 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00051477745920419703 120062703
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0021263614073395729 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.01077420777853229 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.019551044703892025 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0071667384148503127 1806336
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0025491454973816871 32112640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.040230638563154501 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.033060084226893084 301989888 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.012414685579337607 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00029912147950381042 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.004562625983624541 6524928 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0020292974514886739 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00029524950217455631 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0033501892582077052 8331264 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0013826414747163652 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00034404949378222233 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0044434130647951486 11243520
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0021424494786188002 38338560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.012221248077864245 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00029723353218287236 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0046271573958175296 6524928 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0021604745524468807 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00029524950217455631 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0033501892582077052 8331264 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0013826414747163652 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00034404949378222233 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0044434130647951486 11243520
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0021424494786188002 38338560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.03058879367262125 1854406656
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.031930393792688846 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0016269054785370827 420480147
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0062482814565300946 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.12883282104305555 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.16267108584586468 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.010160280622541904 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0079047933593392374 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.076901119479776167 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0014688895121216774 420479123
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0053519933000206951 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.12983351900265988 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.16219238442642858 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0061438020840287218 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0044321214929223061 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.094635391765477292 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0015630654469132425 428344047
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0062046977058053017 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.14876543594363451 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.18036638159761326 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.011001625455915929 7225344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0092127614393830298 128450560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.1535614527333008 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.12817364494913974 301989888
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.030222938038408757 1854407680
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.031672250784933562 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0016251775398850442 420480147
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0055584574714303021 1892156416
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.12912719168382975 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.16307301281581629 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.010261816419661045 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0080244092121720314 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.0767847516963482 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0014688895121216774 420479123
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0053519933000206951 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.12983351900265988 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.16219238442642858 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0061438020840287218 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0044321214929223061 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.094635391765477292 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0015630654469132425 428344047
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0062046977058053017 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.14876543594363451 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.18036638159761326 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.011001625455915929 7225344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0092127614393830298 128450560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.1535614527333008 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.12817364494913974 301989888
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.052147796207158849 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0011196335060521959 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.010188177029602232 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0078450096054002647 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0011169455451890825 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0068278569383546719 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0049215535325929519 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.001234609524719417 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.010337361256591975 16662528
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0079749297900125384 125042688
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.05147792387943851 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0011186414761468768 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.010290481011383235 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0079452334446832532 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0011169455451890825 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0068278569383546719 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0049215535325929519 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.001234609524719417 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.010337361256591975 16662528
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0079749297900125384 125042688
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 32 9.647498466074469e-05 2360451
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 32 9.455499984323978e-05 2359427
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x256x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 32 0.00012345100380480289 13369999
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 32 5.9771010652184498e-05 13108639
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 32 6.2522986903786661e-05 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 32 9.132299758493899e-05 18874384
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 32 6.0218999162316312e-05 13108639
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 32 6.3195014372467999e-05 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 32 8.9115018025040624e-05 18874384
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 32 0.0001631629858165979 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 32 0.00017647499777376653 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 32 0.00027631501294672498 18874384
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 32 0.00016271499730646614 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 32 0.00017692301608622073 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 32 0.00027404300309717661 18874384
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_gemm 256 0.0056483133211731916 693636864
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_implicit 256 0.0036139457002282147 3840
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_precomputed 256 0.0036147773638367654 3840
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_winograd_nonfused 256 0.0053328252807259557 7745600256
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward fft_16 256 0.026810842432081702 529582080 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward fft_4 256 0.036664440073072901 165849600 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward gemm 256 0.0086103929653763775 2713088
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward gemm_16 256 0.0066267136111855512 43355648
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward implicit 256 0.0072988413348793989 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter cudnn_precomputed 256 0.0033642492666840552 1854456464
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter cudnn_winograd_nonfused 256 0.030949943698942661 7745600000 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter fft_16 256 0.031886871732771389 529582080 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter fft_4 256 0.04202037803083658 165849600 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter gemm 256 0.010159897245466711 2709504
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter gemm_16 256 0.0087405692711472506 146112512
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter implicit 256 3.4071542047634722 4096
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter implicit_parts 256 0.10966539833694697 221184
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward cudnn_implicit 256 0.0094180336995050313 9472
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward cudnn_precomputed 256 0.0019908013744279742 9472
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward gemm_nhwc 256 0.011797392765991389 7234560
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward gemm_nhwc_16 256 0.010186769287101924 115614720
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter cudnn_precomputed 256 0.0014239854617044329 2377872
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter gemm_nhwc 256 0.010137841145507991 7243776
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter gemm_nhwc_16 256 0.0084091375274583692 115623936
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.082072048380970944 14797578240
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.065092924572527411 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0060128252878785138 3288482195
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.017679332177988862 14798168064
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.18154397259148181 2371092480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.21561480483087361 2014248960 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.057377401746809477 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.055556408800184726 924917760
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.08112149465829134 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0049380736723542221 3288481939
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.012508441923429137 14798168064
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.18147024460741315 2371092480 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.21395249188711424 2014248960 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.030763802923262116 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.028827769674360754 1849761792
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.083722619064152237 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0050394496694207199 3290399399
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.035175780872611896 14798168064
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.1585591237452609 2371092480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.18931228745159753 2014248960
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.065637111105024806 57802752
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.066193690456449988 1027604480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 3.3696093011483863 4096
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.22217199268766069 4718592
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.084919372390049416 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0017840816183015704 74115
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.058131661479450335 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.056938181355739817 924917760
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0020792814595624802 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.034446803013794124 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.032975763122551148 1849761792
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0022086575431749227 2212519
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.058323118130676449 57950208
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.055187923113815492 924991488
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x3x224x224:bf16:nhwc8;y=32x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward cudnn_precomputed 32 0.00026290700770914555 9472
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x3x224x224:bf16:nhwc8;y=32x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter cudnn_precomputed 32 0.00021234701015055183 2377872
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x64x224x224:bf16:nhwc;y=32x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 32 0.00023641101457178595 74115
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x64x224x224:bf16:nhwc;y=32x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 32 0.00027461899258196353 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=32x64x224x224:bf16:nhwc;y=32x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 32 0.00030450699664652346 2212519
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x3x224x224:bf16:nhwc8;y=64x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward cudnn_precomputed 64 0.00051009350549429658 9472
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x3x224x224:bf16:nhwc8;y=64x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter cudnn_precomputed 64 0.00038551750313490634 2377872
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x64x224x224:bf16:nhwc;y=64x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 64 0.00045396548043936485 74115
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x64x224x224:bf16:nhwc;y=64x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 64 0.00053354951273649933 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=64x64x224x224:bf16:nhwc;y=64x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 64 0.00056737350951880218 2212519
row convert()x=256x3x224x224:bf16:nchw;y=256x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 256 0.00015035350155085327 0
row convert()x=256x512x7x7:bf16:nhwc;y=256x512x7x7:bf16:nchw;dx=1;needs=0,0 forward native 256 1.2913505546748674e-05 0
row convert()x=256x512x7x7:bf16:nhwc;y=256x512x7x7:bf16:nchw;dx=1;needs=0,0 backward_data native 256 1.2305493466556056e-05 0
row convert()x=32x3x224x224:bf16:nchw;y=32x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 32 1.8938997760415054e-05 0
row convert()x=32x512x7x7:bf16:nhwc;y=32x512x7x7:bf16:nchw;dx=1;needs=0,0 forward native 32 2.0110104233026272e-06 0
row convert()x=32x512x7x7:bf16:nhwc;y=32x512x7x7:bf16:nchw;dx=1;needs=0,0 backward_data native 32 2.2349897772073641e-06 0
row convert()x=64x3x224x224:bf16:nchw;y=64x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 64 3.809050284326078e-05 0
row dropout(p=0.5)x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 128 1.3744980096816777e-06 0
row dropout(p=0.5)x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 128 7.0250034332276076e-07 0
row dropout(p=0.5)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.5214925408363281e-06 0
row dropout(p=0.5)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.1134967207908903e-06 0
row dropout(p=0.5)x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 32 8.5900165140629959e-07 0
row dropout(p=0.5)x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 32 6.0299970209601962e-07 0
row dropout(p=0.5)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 8 8.679945021867705e-07 0
row dropout(p=0.5)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 8 6.7600794136523708e-07 0
row fc(out=1000,bias=1)x=128x4096x1x1:bf16:nchw;y=128x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 128 2.0958498120307956e-05 8192000
row fc(out=1000,bias=1)x=128x4096x1x1:bf16:nchw;y=128x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 128 1.3854488730430607e-05 8192000
row fc(out=1000,bias=1)x=128x4096x1x1:bf16:nchw;y=128x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 128 1.4974489808082561e-05 4000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 2.0793505012989091e-05 8192000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00050456950813531883 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 1.5129499137401607e-05 8192000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.00011717749387025835 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 1.743351668119429e-05 4000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.00011532149463891985 4000 brief
row fc(out=1000,bias=1)x=32x4096x1x1:bf16:nchw;y=32x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 32 1.9834989681839932e-05 8192000
row fc(out=1000,bias=1)x=32x4096x1x1:bf16:nchw;y=32x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 32 1.250701583921907e-05 8192000
row fc(out=1000,bias=1)x=32x4096x1x1:bf16:nchw;y=32x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 32 1.4651009812951083e-05 4000
row fc(out=1000,bias=1)x=8x4096x1x1:bf16:nchw;y=8x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 8 1.8211992457509057e-05 8192000
row fc(out=1000,bias=1)x=8x4096x1x1:bf16:nchw;y=8x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 8 0.00049421203322708596 0
row fc(out=1000,bias=1)x=8x4096x1x1:bf16:nchw;y=8x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 8 9.4436006620526313e-05 0
row fc(out=1000,bias=1)x=8x4096x1x1:bf16:nchw;y=8x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 8 2.2724019363522526e-05 4000
row fc(out=4096,bias=1)x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 128 4.6526491641998266e-05 33554432
row fc(out=4096,bias=1)x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 128 0.00051683047413825993 0
row fc(out=4096,bias=1)x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 128 4.1662499308586104e-05 33554432
row fc(out=4096,bias=1)x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 128 3.2318487763404873e-05 16384
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 4.79294881224632e-05 33554432
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00068152949959039699 0
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 4.492149502038954e-05 33554432
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.00046274552494287495 0
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 3.90335097908974e-05 16384
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.0004533374831080437 16384 brief
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.00022687349468469622 205520896
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.0043128397916908177 0
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.00021423351019620896 205520896
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.0025219406233934582 0
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.00014898551255464553 16384
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.0027749483143249972 16384 brief
row fc(out=4096,bias=1)x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 32 4.5402998104691524e-05 33554432
row fc(out=4096,bias=1)x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 32 4.0091002359986297e-05 33554432
row fc(out=4096,bias=1)x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 32 3.1099000945687296e-05 16384
row fc(out=4096,bias=1)x=32x512x7x7:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 32 0.00020706700719892981 205520896
row fc(out=4096,bias=1)x=32x512x7x7:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 32 0.00020194699801504609 205520896
row fc(out=4096,bias=1)x=32x512x7x7:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 32 0.00012341899611055852 16384
row fc(out=4096,bias=1)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 8 4.4387998059391962e-05 33554432
row fc(out=4096,bias=1)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 8 3.9172010496258739e-05 33554432
row fc(out=4096,bias=1)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 8 0.00038486799784004686 0
row fc(out=4096,bias=1)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 8 3.152398951351643e-05 16384
row fc(out=4096,bias=1)x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 8 6.7460002377629284e-05 16384
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=128x256x56x56:bf16:nhwc;y=128x256x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 128 8.8420020416378939e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=128x256x56x56:bf16:nhwc;y=128x256x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 128 0.00012585999257862571 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nchw;y=256x128x56x56:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0009924094751477242 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nchw;y=256x128x56x56:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0022853694930672643 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nhwc;y=256x128x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.0003374574882909656 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nhwc;y=256x128x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00050212947558611631 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00049368948489427573 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0011436415389180184 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.0001728495163843036 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00025003347825258975 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nchw;y=256x512x7x7:bf16:nchw;dx=1;needs=8,0 forward native 256 5.7113476097583761e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nchw;y=256x512x7x7:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.00014175350219011309 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nhwc;y=256x512x7x7:bf16:nhwc;dx=1;needs=8,0 forward native 256 2.4913500063121306e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nhwc;y=256x512x7x7:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 3.2145495526492558e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00022293750196695331 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.00057186553627252591 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 256 8.8881502859294398e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00012705750297755007 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0019894334748387335 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0045591935887932776 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nhwc;y=256x64x112x112:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00068734551500529049 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nhwc;y=256x64x112x112:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.0010058734519407151 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x128x112x112:bf16:nhwc;y=32x128x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 32 4.6426991000771528e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x128x112x112:bf16:nhwc;y=32x128x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 32 6.3610980287194215e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x256x56x56:bf16:nhwc;y=32x256x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 32 2.4795005097985269e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x256x56x56:bf16:nhwc;y=32x256x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 32 3.164299763739106e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x512x14x14:bf16:nhwc;y=32x512x7x7:bf16:nhwc;dx=1;needs=8,0 forward native 32 2.5869999080896483e-06 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x512x14x14:bf16:nhwc;y=32x512x7x7:bf16:nhwc;dx=1;needs=8,0 backward_data native 32 5.2110049873590176e-06 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x512x28x28:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 32 8.9869890362024292e-06 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x512x28x28:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 32 1.6795003786683096e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x64x224x224:bf16:nhwc;y=32x64x112x112:bf16:nhwc;dx=1;needs=8,0 forward native 32 9.0522984042763722e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=32x64x224x224:bf16:nhwc;y=32x64x112x112:bf16:nhwc;dx=1;needs=8,0 backward_data native 32 0.00012754700519144535 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=64x128x112x112:bf16:nhwc;y=64x128x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 64 8.8557506911456576e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=64x128x112x112:bf16:nhwc;y=64x128x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 64 0.00012583750020712613 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=64x64x224x224:bf16:nhwc;y=64x64x112x112:bf16:nhwc;dx=1;needs=8,0 forward native 64 0.00017572551500052213 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=64x64x224x224:bf16:nhwc;y=64x64x112x112:bf16:nhwc;dx=1;needs=8,0 backward_data native 64 0.0002524295104667544 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=85x128x112x112:bf16:nhwc;y=85x128x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 85 0.00011545449495315552 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=85x128x112x112:bf16:nhwc;y=85x128x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 85 0.00016799849271774295 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=86x128x112x112:bf16:nhwc;y=86x128x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 86 0.00011651051044464115 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=86x128x112x112:bf16:nhwc;y=86x128x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 86 0.00017046251893043516 0
row relu()x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 128 0.00014089997299015524 0
row relu()x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place forward native 128 0.00010800402052700519 0
row relu()x=128x256x56x56:bf16:nhwc;y=128x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 128 0.00010525198467075827 0
row relu()x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 128 5.1049888134003046e-07 0
row relu()x=128x4096x1x1:bf16:nchw;y=128x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 128 8.6249411106109069e-07 0
row relu()x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.0005607934966683388 0
row relu()x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00043020150810480119 0
row relu()x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00042143351584672924 0
row relu()x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.00056081752013415105 0
row relu()x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00042900950741022831 0
row relu()x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.000419665495865047 0
row relu()x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.00028024951368570329 0
row relu()x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00021503350883722303 0
row relu()x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00021045748144388202 0
row relu()x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.00028033752273768189 0
row relu()x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00021531350445002314 0
row relu()x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00021070549916476006 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.0815039277076868e-06 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.1454895138740667e-06 0
row relu()x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 3.669748455286029e-05 0
row relu()x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.7033515274524658e-05 0
row relu()x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 2.7033485472202318e-05 0
row relu()x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 3.6497513763606527e-05 0
row relu()x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 2.7121494524180869e-05 0
row relu()x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 2.6449481956660755e-05 0
row relu()x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.00014175350219011309 0
row relu()x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00010776949673891068 0
row relu()x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00010594547539949419 0
row relu()x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.00014200149010866884 0
row relu()x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00010811350774019953 0
row relu()x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00010564951132982972 0
row relu()x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.0011237374618649483 0
row relu()x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00085848946124315265 0
row relu()x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00084130547195672986 0
row relu()x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.0011214574677869678 0
row relu()x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00085956953000277281 0
row relu()x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.0008404334587976338 0
row relu()x=32x128x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 32 7.1866998448967946e-05 0
row relu()x=32x128x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 32 5.4427007213234952e-05 0
row relu()x=32x128x112x112:bf16:nhwc;y=32x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 32 5.2698979154229156e-05 0
row relu()x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 32 3.7051001563668264e-05 0
row relu()x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place forward native 32 2.7034977450966838e-05 0
row relu()x=32x256x56x56:bf16:nhwc;y=32x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 32 2.7515003457665445e-05 0
row relu()x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 32 4.1099824011326221e-07 0
row relu()x=32x4096x1x1:bf16:nchw;y=32x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 32 8.2700885832309609e-07 0
row relu()x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 32 4.1549894958734703e-06 0
row relu()x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 32 2.7150008827448019e-06 0
row relu()x=32x512x14x14:bf16:nhwc;y=32x512x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 32 3.1950119882822396e-06 0
row relu()x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 32 1.5195021405816097e-05 0
row relu()x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 32 1.1099020019173632e-05 0
row relu()x=32x512x28x28:bf16:nhwc;y=32x512x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 32 1.0970989242196085e-05 0
row relu()x=32x64x224x224:bf16:nhwc;y=32x64x224x224:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 32 0.00014191497303545476 0
row relu()x=32x64x224x224:bf16:nhwc;y=32x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place forward native 32 0.00010844300128519537 0
row relu()x=32x64x224x224:bf16:nhwc;y=32x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 32 0.00010527498461306093 0
row relu()x=64x128x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 64 0.00014046149980276825 0
row relu()x=64x128x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 64 0.00010910149943083525 0
row relu()x=64x128x112x112:bf16:nhwc;y=64x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 64 0.00010529350768774744 0
row relu()x=64x64x224x224:bf16:nhwc;y=64x64x224x224:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 64 0.0002804614854976535 0
row relu()x=64x64x224x224:bf16:nhwc;y=64x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place forward native 64 0.00021502148639410734 0
row relu()x=64x64x224x224:bf16:nhwc;y=64x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 64 0.00020996549259871244 0
row relu()x=85x128x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 85 0.00018614250421524045 0
row relu()x=85x128x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 85 0.00014281448721885679 0
row relu()x=85x128x112x112:bf16:nhwc;y=85x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 85 0.00013974249362945555 0
row relu()x=86x128x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 86 0.00018937450647354124 0
row relu()x=86x128x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 86 0.00014415848255157473 0
row relu()x=86x128x112x112:bf16:nhwc;y=86x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 86 0.00014108648896217344 0
row relu()x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 8 1.9599683582782644e-07 0
row relu()x=8x4096x1x1:bf16:nchw;y=8x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 8 5.1601417362690716e-07 0
row softmax_loss()x=128x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 128 6.558492779731724e-06 3072
row softmax_loss()x=128x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 128 1.0225027799606175e-06 0
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 256 8.0574974417686585e-06 6144
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 256 1.3694986701011974e-06 0
row softmax_loss()x=32x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 32 7.4510071426630347e-06 768
row softmax_loss()x=32x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 32 8.5900165140627248e-07 0
row softmax_loss()x=8x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 8 6.3720066100358975e-06 192
row softmax_loss()x=8x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 8 5.1599927246571028e-07 0
end 639
