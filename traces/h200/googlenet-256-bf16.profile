vdnn-profile 2
key NVIDIA H200, CUDA 13.0, driver 13.0, capability 9.0, cuBLAS 130100, cuDNN 91900, 1 threads
device cuda nchw fused 1 150109880320 149425356800 107597578240
rate copy_both_bytes_per_second 101685019705.71887
rate copy_in_beside_bytes_per_second 55235694626.678589
rate copy_in_bytes_per_second 55483149257.25428
rate copy_in_slows_moves 1.1159813432385168
rate copy_in_slows_products 1
rate copy_latency_seconds 2.8159916400909569e-06
rate copy_out_beside_bytes_per_second 55174173390.336563
rate copy_out_bytes_per_second 55489018732.270447
rate copy_out_slows_moves 1.0181710255539056
rate copy_out_slows_products 1
rate elementwise_bytes_per_second 4192333691628.3579
rate launch_seconds 3.3769998699426666e-06
row avgpool(kernel=7x7,stride=7x7,pad=0x0,ceil=0,count_pad=1)x=256x1024x7x7:bf16:nchw;y=256x1024x1x1:bf16:nchw;dx=1;needs=0,0 forward native 256 1.6942998394370105e-05 0
row avgpool(kernel=7x7,stride=7x7,pad=0x0,ceil=0,count_pad=1)x=256x1024x7x7:bf16:nchw;y=256x1024x1x1:bf16:nchw;dx=1;needs=0,0 backward_data native 256 0.00027515099011361598 0
row avgpool(kernel=7x7,stride=7x7,pad=0x0,ceil=0,count_pad=1)x=256x1024x7x7:bf16:nhwc;y=256x1024x1x1:bf16:nhwc;dx=1;needs=0,0 forward native 256 1.1284477077424504e-05 0
row avgpool(kernel=7x7,stride=7x7,pad=0x0,ceil=0,count_pad=1)x=256x1024x7x7:bf16:nhwc;y=256x1024x1x1:bf16:nhwc;dx=1;needs=0,0 backward_data native 256 3.6564505659043809e-05 0
row concat()x=256x112x14x14:bf16:nchw+256x288x14x14:bf16:nchw+256x64x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x528x14x14:bf16:nchw;dx=1111;needs=0,0 forward native 256 3.7262996658682826e-05 0
row concat()x=256x112x14x14:bf16:nchw+256x288x14x14:bf16:nchw+256x64x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x528x14x14:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 3.5150995478034017e-05 0
row concat()x=256x112x14x14:bf16:nhwc+256x288x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x528x14x14:bf16:nhwc;dx=1111;needs=0,0 forward native 256 4.0692484937608227e-05 0
row concat()x=256x112x14x14:bf16:nhwc+256x288x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x528x14x14:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 3.8228488527238411e-05 0
row concat()x=256x128x14x14:bf16:nchw+256x256x14x14:bf16:nchw+256x64x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1111;needs=0,0 forward native 256 3.6398997530341152e-05 0
row concat()x=256x128x14x14:bf16:nchw+256x256x14x14:bf16:nchw+256x64x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 3.4351011738181089e-05 0
row concat()x=256x128x14x14:bf16:nhwc+256x256x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1111;needs=0,0 forward native 256 3.6852515302598462e-05 0
row concat()x=256x128x14x14:bf16:nhwc+256x256x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 3.3908492885529985e-05 0
row concat()x=256x128x28x28:bf16:nchw+256x192x28x28:bf16:nchw+256x96x28x28:bf16:nchw+256x64x28x28:bf16:nchw;y=256x480x28x28:bf16:nchw;dx=1111;needs=0,0 forward native 256 0.00010548697970807554 0
row concat()x=256x128x28x28:bf16:nchw+256x192x28x28:bf16:nchw+256x96x28x28:bf16:nchw+256x64x28x28:bf16:nchw;y=256x480x28x28:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 0.00010449497960507872 0
row concat()x=256x128x28x28:bf16:nhwc+256x192x28x28:bf16:nhwc+256x96x28x28:bf16:nhwc+256x64x28x28:bf16:nhwc;y=256x480x28x28:bf16:nhwc;dx=1111;needs=0,0 forward native 256 0.00012293250020593404 0
row concat()x=256x128x28x28:bf16:nhwc+256x192x28x28:bf16:nhwc+256x96x28x28:bf16:nhwc+256x64x28x28:bf16:nhwc;y=256x480x28x28:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 0.00010667652543634177 0
row concat()x=256x160x14x14:bf16:nchw+256x224x14x14:bf16:nchw+256x64x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1111;needs=0,0 forward native 256 3.5855015739798531e-05 0
row concat()x=256x160x14x14:bf16:nchw+256x224x14x14:bf16:nchw+256x64x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 3.4799000248312957e-05 0
row concat()x=256x160x14x14:bf16:nhwc+256x224x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1111;needs=0,0 forward native 256 3.8484490476548664e-05 0
row concat()x=256x160x14x14:bf16:nhwc+256x224x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 3.4836477600038067e-05 0
row concat()x=256x192x14x14:bf16:nchw+256x208x14x14:bf16:nchw+256x48x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1111;needs=0,0 forward native 256 3.7262996658682826e-05 0
row concat()x=256x192x14x14:bf16:nchw+256x208x14x14:bf16:nchw+256x48x14x14:bf16:nchw+256x64x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 3.4703006967902204e-05 0
row concat()x=256x192x14x14:bf16:nhwc+256x208x14x14:bf16:nhwc+256x48x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1111;needs=0,0 forward native 256 3.7940478883683704e-05 0
row concat()x=256x192x14x14:bf16:nhwc+256x208x14x14:bf16:nhwc+256x48x14x14:bf16:nhwc+256x64x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 3.4868515096604807e-05 0
row concat()x=256x256x14x14:bf16:nchw+256x320x14x14:bf16:nchw+256x128x14x14:bf16:nchw+256x128x14x14:bf16:nchw;y=256x832x14x14:bf16:nchw;dx=1111;needs=0,0 forward native 256 5.1886996254324884e-05 0
row concat()x=256x256x14x14:bf16:nchw+256x320x14x14:bf16:nchw+256x128x14x14:bf16:nchw+256x128x14x14:bf16:nchw;y=256x832x14x14:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 5.1726987585425384e-05 0
row concat()x=256x256x14x14:bf16:nhwc+256x320x14x14:bf16:nhwc+256x128x14x14:bf16:nhwc+256x128x14x14:bf16:nhwc;y=256x832x14x14:bf16:nhwc;dx=1111;needs=0,0 forward native 256 5.4132497869432004e-05 0
row concat()x=256x256x14x14:bf16:nhwc+256x320x14x14:bf16:nhwc+256x128x14x14:bf16:nhwc+256x128x14x14:bf16:nhwc;y=256x832x14x14:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 5.2052504383027541e-05 0
row concat()x=256x256x7x7:bf16:nchw+256x320x7x7:bf16:nchw+256x128x7x7:bf16:nchw+256x128x7x7:bf16:nchw;y=256x832x7x7:bf16:nchw;dx=1111;needs=0,0 forward native 256 1.5983005985617624e-05 0
row concat()x=256x256x7x7:bf16:nchw+256x320x7x7:bf16:nchw+256x128x7x7:bf16:nchw+256x128x7x7:bf16:nchw;y=256x832x7x7:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 1.4926990494132049e-05 0
row concat()x=256x256x7x7:bf16:nhwc+256x320x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc;y=256x832x7x7:bf16:nhwc;dx=1111;needs=0,0 forward native 256 1.6468501649796998e-05 0
row concat()x=256x256x7x7:bf16:nhwc+256x320x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc;y=256x832x7x7:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 1.7044491134583965e-05 0
row concat()x=256x384x7x7:bf16:nchw+256x384x7x7:bf16:nchw+256x128x7x7:bf16:nchw+256x128x7x7:bf16:nchw;y=256x1024x7x7:bf16:nchw;dx=1111;needs=0,0 forward native 256 1.8767019733786601e-05 0
row concat()x=256x384x7x7:bf16:nchw+256x384x7x7:bf16:nchw+256x128x7x7:bf16:nchw+256x128x7x7:bf16:nchw;y=256x1024x7x7:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 1.8158992752432786e-05 0
row concat()x=256x384x7x7:bf16:nhwc+256x384x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc;y=256x1024x7x7:bf16:nhwc;dx=1111;needs=0,0 forward native 256 1.8932498060166868e-05 0
row concat()x=256x384x7x7:bf16:nhwc+256x384x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc+256x128x7x7:bf16:nhwc;y=256x1024x7x7:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 1.8932498060166814e-05 0
row concat()x=256x64x28x28:bf16:nchw+256x128x28x28:bf16:nchw+256x32x28x28:bf16:nchw+256x32x28x28:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1111;needs=0,0 forward native 256 6.2542995437979684e-05 0
row concat()x=256x64x28x28:bf16:nchw+256x128x28x28:bf16:nchw+256x32x28x28:bf16:nchw+256x32x28x28:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1111;needs=0,0 backward_data native 256 6.2191000208258623e-05 0
row concat()x=256x64x28x28:bf16:nhwc+256x128x28x28:bf16:nhwc+256x32x28x28:bf16:nhwc+256x32x28x28:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1111;needs=0,0 forward native 256 6.7508495412766926e-05 0
row concat()x=256x64x28x28:bf16:nhwc+256x128x28x28:bf16:nhwc+256x32x28x28:bf16:nhwc+256x32x28x28:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1111;needs=0,0 backward_data native 256 6.3508487306535269e-05 0
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00039998300932347772 51494912
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00028974299691617483 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00012708698771893978 62734608
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0020257750358432529 150241280 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0057001428212970495 143532032 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0026664146985858673 315392 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00041169502399861815 3325952
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00074951895140111448 0
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 6.3182985410094309e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0017556629981845615 150241280 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0049629587735980753 143532032 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0019158548917621375 516096 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00032673501037061217 6537216 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00060798301361501231 0
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00013255900703370573 58834944
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0019030228462070227 150241280 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0047835988607257615 143532032 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0022463192548602818 200704
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00047502299211919313 3913728
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.014421838691458107 4480
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0010907990094274282 7340032
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00037067099474370481 51495168
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00026356699131429196 114944
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00012823899649083611 62734608
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0020535189714282753 150241280 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0057955031003803018 143532032 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0027576150503009554 315392 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00042427100799977791 3325952
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00075108697079122072 0
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 6.3182985410094309e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0017556629981845615 150241280 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0049629587735980753 143532032 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0019158548917621375 516096 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00032673501037061217 6537216 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00060798301361501231 0
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00013255900703370573 58834944
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0019030228462070227 150241280 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0047835988607257615 143532032 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0022463192548602818 200704
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00047502299211919313 3913728
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.014421838691458107 4480
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0010907990094274282 7340032
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00040133247431367635 114688 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.4564481340348727e-05 114944
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 3.5732514224946481e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.0148492418229602e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.1428502164781084e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.3972485028207311e-05 1278319
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 6.1716488562524316e-05 87808
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00032773248013108974 114944 brief
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.4724460206925833e-05 114944
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 4.9204505048692265e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.0148492418229602e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.1428502164781084e-05 114688
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 7.3972485028207311e-05 1278319
row conv(out=112,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 6.1716488562524316e-05 87808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00077121507190167906 102825984
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00063956700824201109 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00022039901278913014 154206611
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0037655188646167517 233504768 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0092694224920123816 218021888 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0020663508977741001 466944
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00055159904621541512 6488064
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0015640150513499976 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.4398983940482074e-05 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0036814229097217317 233504768 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0088246869649738074 218021888 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0018891024198383088 868352 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00045150299929082397 12910592 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.001606638988479972 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00018446298502385619 33619968
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0036435029115527867 233504768 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0077975835409015426 218021888 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0024408149328082811 401408
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00083879902027547356 9633792
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.057190640201792119 4096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0021198870148509742 4194304
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00066433503292500967 102826240
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00055214299820363535 65792
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00021985500119626523 154206611
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0037653588857501749 233504768 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.009281327208504081 218021888 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0020932955350726847 466944
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0005792790260165931 6488064
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.0015557910408824681 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 4.4398983940482074e-05 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0036814229097217317 233504768 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0088246869649738074 218021888 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0018891024198383088 868352 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00045150299929082397 12910592 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.001606638988479972 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00018446298502385619 33619968
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0036435029115527867 233504768 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0077975835409015426 218021888 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0024408149328082811 401408
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00083879902027547356 9633792
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.057190640201792119 4096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0021198870148509742 4194304
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0011414285069331527 65536 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 6.3892520032823015e-05 65792
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.00011330050881952051 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.7060525976121449e-05 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 4.7092503868043456e-05 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00024421251472085719 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.00019787648972123865 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00066782847698777911 65792 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 6.3796496950089922e-05 65792
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.00013570050057023765 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 4.7060525976121449e-05 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 4.7092503868043456e-05 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00024421251472085719 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.00019787648972123865 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00040887903235852717 51511296
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00029335900209844108 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00010868700407445427 64356755
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0020860628690570595 170655744 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0056880788411945117 163774464 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0026844310369342557 331776 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0004098070468753577 3342336
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00075390305183827878 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 6.503901444375515e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0018545749988406897 170655744 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0051873430814594031 163774464 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.001834702929481864 532480 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00032692698203027243 6553600 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00068401498161256319 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00012695901654660702 65536383
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0019270549621433022 170655744 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0047177428808063268 163774464 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021757273282855751 200704
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00045879896543920049 4014080
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.015613902812823653 4096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0011389589514583349 8388608
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00037691097520291803 51511552
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00026907097361981866 131328
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00010967900417745116 64356755
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0020843668784946202 170655744 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0056741270627826447 163774464 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0026902551259845487 331776 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00042353506945073596 3342336
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00075431897304952162 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 6.503901444375515e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0018545749988406897 170655744 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0051873430814594031 163774464 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.001834702929481864 532480 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00032692698203027243 6553600 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00068401498161256319 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00012695901654660702 65536383
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0019270549621433022 170655744 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0047177428808063268 163774464 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0021757273282855751 200704
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00045879896543920049 4014080
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.015613902812823653 4096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0011389589514583349 8388608
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00043330050166696314 131072 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.3796535097062594e-05 131328
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 4.2516506277024777e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.0756459794938522e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.1780497394502144e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 5.9156513772904782e-05 5898512
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 5.7236499153077641e-05 100352
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0003323405152186751 131328 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.6932514272630292e-05 131328
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 4.7668493352830368e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.0756459794938522e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.1780497394502144e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 5.9156513772904782e-05 5898512
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 5.7236499153077641e-05 100352
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00041249500773847097 53121024
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00030039896629750724 135168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00011825500987470149 65966483
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0021046551074832679 175931392 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0058278865423053517 168878080 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0028875670041888951 342272 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00043761505745351306 3446784
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00077419095300138008 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 8.5550999268889429e-05 135168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0020027671661227938 175931392 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0055893592443317175 168878080 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0020045270528644319 549120 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0003829589840024709 6758400 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00074603102169930931 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0001331029888242483 67674591
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0019875669088214635 175931392 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0049367189016193162 168878080 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0022066711988300088 207104
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00048062302730977538 4114432
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.015596366783604026 4096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0016117270346730946 8650752
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00037016449030488727 135168 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.6388502679765223e-05 135424
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 4.1908509097993355e-05 135168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.3220515809953233e-05 135168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.4756497703492627e-05 135168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 6.8212485872209047e-05 6263056
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 6.6004491411149484e-05 100352
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00026087903045117852 21086208
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00016241498850286007 212992
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 4.7278990969061859e-05 24297744
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00095095892809331434 48168960 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.002852431258186698 45588480 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0027451667394489056 294656 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00038388701342046262 1517568
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00031339099071919915 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.3263014182448396e-05 212992
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00075255890749394898 48168960 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0024712147321552034 45588480 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0024892310705035936 376064 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00021198300085961821 2822144 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00029934299550950526 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 6.75990041345358e-05 24510496
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00073879893682897099 48168960 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.002083023032173515 45588480 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.002104175528511405 81664
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00025374301336705693 1505280
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0033371351119130849 4096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00048468699119985105 13631488
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00020958850439637902 212992 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 1.3524509035050915e-05 213248
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 2.056447323411707e-05 212992
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 1.2564486823976012e-05 213264
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 1.3140491209924203e-05 212992
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 2.9652512632310387e-05 4047120
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 2.664450462907553e-05 25088
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0017528149392455814 347037696 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0015910869743674992 221184
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00020769496820867065 90358163
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00064119901321828363 406609920 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0024984149541705846 105185280 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0056563987340778124 94863360 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0030973596181720496 1575936
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0014345109667629004 21897216
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0037953431811183695 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00017623897455632686 90357907
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00051355095766484737 406609920 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0024251029100269077 105185280 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0055159186925739052 94863360 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.002658318957313895 2930688
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00081799896620214001 43573248
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0051514389123767613 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00028321500681340695 98026151
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0008108630087226631 406609920 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0023293270673602818 105185280 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0048585748281329876 94863360 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0034501270856708284 1354752
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0019152471031993628 24887296
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.053895149340853099 4096
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0073208148088306189 14155776
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00189979640301317 221184
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 7.6564497314393531e-05 221571
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0030833799606189136 1575936 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.001418740547262132 21897216 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 9.0932494960725336e-05 221315
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0028177163368090989 2930688 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00087448445614427331 43573248 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00024699649866670377 8553127
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0032721798187121749 1797120
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0015762765174731615 22118400
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00043943898938596254 80486400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00037435098551213741 204800
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 6.1295008286833773e-05 16466323
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00025054298900067804 113729536 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00065323110483586774 14893056
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0019000472631305458 12128256 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0028355989065021289 518400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00055166300199925914 5222400
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00080231904052197934 0
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 7.5983008369803461e-05 22891759
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00019972698949277402 113729536 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00064702304266393178 14893056
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0019494232740253207 12128256 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.003931438883766532 832000 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00036375900171697141 10240000
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0016891669835895299 0
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 9.2782994732260735e-05 19743195
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00020740700326859948 113729536 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00062353499792516234 14893056
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0017346391286700963 12128256 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021431188192218543 313600
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00055812694691121582 5820416
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012048078721389174 4096
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0016855189707130193 13107200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00042312449868768461 204800
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.8596497140824786e-05 205187
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0020018765693530448 518400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00040693250950425865 5222400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.7364485226571598e-05 6630623
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0035768849616870297 832000
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0003049804931506515 10240000 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.3332509957253937e-05 4096475
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0018920204406604167 723200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00045755652245134127 5427200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00017009500227868553 20275200 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00014689501188695431 204800
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 4.1038995608687381e-05 4423952
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00015131100080907346 30662656 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00052465506456792356 9191424 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.001756238898262381 7901184 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0029032787885516884 283392 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00035716698132455348 1459200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00026494300924241544 0
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.3423012122511892e-05 4423696
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00013531098328530789 30662656 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00055671902559697626 9191424 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0018275351133197541 7901184 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.004626574954017997 361728 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00030337499640882012 2713600
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00066427097283303744 0
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 4.9647009000182172e-05 6062355
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 8.942300640046596e-05 30662656
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0005320468749850988 9191424 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.001697967013344169 7901184 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.002038190802559257 78592
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00023771103285253047 1455104
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0028831190522760155 4096
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00043380697630345823 13107200 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00015602048393338917 204800
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.2612503729760642e-05 205056
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0018321482902392743 283200 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00018462852295488122 1459200 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.2292486391961588e-05 204800
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0035082766776904461 361600
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00024526850041002037 2713600
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 4.24525057896972e-05 2457875
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0016681806808337577 488000
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00019554052408784632 1664000
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00023022300563752649 30412800 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00021499100886285307 307200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 3.9118995890021329e-05 5030160
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00016785498522222043 34918400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00056263895891606804 13099008 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0018666705694049602 11679744 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0028956307973712681 424960 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.000507406970486045 2188800
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00039095901511609557 0
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.454299829900265e-05 5029904
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00015723099373280997 34918400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00061995097063481826 13099008 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.002033006628975272 11679744 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.004651950797066093 542464 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00033611102961003783 4070400
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00070455897413194187 0
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 4.8846995458006877e-05 6668563
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00011006300710141662 34918400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00058375903032720081 13099008 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0017750873174518351 11679744 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021219353284686799 117760
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00028308703564107414 2082304
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0029135509040206669 4096
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00058327900432050231 19660800 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00021973248478025196 307200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.331653889268638e-05 307456
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.00197691700514406 424800 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00022760454472154382 2188800 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.5076515041291735e-05 307200
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0036110923057422052 542400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00026302847918123013 4070400 brief
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 4.4532499276101609e-05 2867475
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0016975886588916193 732000
row conv(out=128,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x48x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00023592451866716156 2496000
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00057156698964536199 51528192
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00051627098582684994 147968
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00011764698289334773 65979027
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0024488471355289224 191070208 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0070209745969623321 184016896 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0026874394025653606 348160 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00047111897729337212 3358720
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.0011130709555000067 0
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 7.3519011959433591e-05 147456
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0019982870426028965 191070208 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0054989595022052525 184016896 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0020116309728473425 548864 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00034139098785817624 6569984 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00075806294940412053 0
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00015246299467980859 67699263
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.002093422969803214 191070208 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0051167831029742964 184016896 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0022044949140399696 200704
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00047780700586736211 4114432
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.013677679171785712 4608
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0015383509602397679 9437184
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00061714050825685258 147968 brief
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.6868498884141437e-05 147968
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 5.5604523979127385e-05 147456
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.4436510168015968e-05 147456
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.5588489137589956e-05 147456
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 7.3044485412538033e-05 4276496
row conv(out=144,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 7.0644504390656964e-05 112896
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00044622298143804067 77076736
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00040948699973523614 6400
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00012292700074613096 83499411
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0015028948392719029 31137792 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0035909590329974892 22751232 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.001871311148628593 307200 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00040097494982182976 4823040
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00055940698646008986 0
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.6606997475028077e-05 6144
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0014281431045383216 31137792 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0031891669835895299 22751232 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0017328466977924117 608256 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0003528470005840063 9639936 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00023691098950803281 0
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.078304909169683e-05 3152144
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0014151508416980505 31137792 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0029608468618243932 22751232 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.002201103171333671 301056
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00053902300260961068 5218304 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.037734479239210486 4096
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.001225710978731513 393216
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00044610047992318865 6400 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.9940522275865067e-05 6400
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 4.8340505920350591e-05 6144
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.9716468416154482e-05 6144
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 3.230848070234062e-05 6144
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.6740549169480793e-05 1591568
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 6.5300515852868561e-05 50176
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.0003362709786742926 48184576
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00023575901053845882 15616
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00010193498991429809 49790355
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0011764949169009923 26034176 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0029797591771930465 20701184 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.003842255076393485 203520 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00034839903376996517 3025920
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00034068696759641172 0
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 6.7407002672553043e-05 15360
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.00093467088602483268 26034176 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0025396952237933877 20701184 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0018009113874286413 391680 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00029339100979268549 6036480 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00016055901907384396 0
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.2094992026686673e-05 7879680
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0010398871507495641 26034176 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0025190229024738072 20701184 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0022813591565936796 188160
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00040494295023381707 3110912
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.012260910725221038 4096
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00047236697934567926 983040
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00023182848747819665 15616 brief
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 1.7204559408128198e-05 15888
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 2.8308487497270132e-05 15360
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 1.9412494264543082e-05 15360
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.0628503523767013e-05 15360
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 3.9412534795701533e-05 1213712
row conv(out=16,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 3.5892493091523641e-05 12544
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00061985497735440734 51544064
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00055499102734029302 163840
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00014647900126874442 67600912
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0025423190202564002 211484672 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0072449106778949496 204259328 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0027650708761066205 364544 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00046945502422749997 3375104
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0011201110091060399 0
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 7.4830999597907079e-05 163840
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0021869591083377598 211484672 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0060376791562885045 204259328 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0021120791044086213 565248 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00035028698109090329 6586368 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00083710298500955119 0
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0001544149871915579 71434879
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0021972308959811921 211484672 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0055060629453510049 204259328 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0023017749395221475 200704
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00048430301807820788 4214784
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.013710126956924796 4480
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0015516310092061757 10485760
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00075138056930154553 163840 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.5556481443345555e-05 164352
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 4.9620485864579678e-05 163840
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.3956454358995021e-05 163840
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.574849780648951e-05 163840
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.5316525064408844e-05 4096272
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 7.0580518804490611e-05 125440
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00059195097349584106 53155328
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00053182297013700008 169472
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00015547101758420467 69211664
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0025402071084827185 218021888 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0073285588826984167 210624512 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0029053587522357709 376064 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00049844696186482904 3480576
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.001149583062157035 0
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 9.3710994347929959e-05 168960
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0022840470876544718 218021888 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0064625749196857213 210624512 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0022087192144244912 582912 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00039083098433911797 6792192 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00091851097904145716 0
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00016491099260747429 72526303
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0022505108918994669 218021888 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0056674074735492477 210624512 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.00225239940546453 207104
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00052295895479619514 4315136
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.013948462685570122 4480
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0019241749104112387 10813440
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00049832449015229936 169472 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.9812551103532253e-05 169472
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 5.7524508796632295e-05 168960
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.8372487984597682e-05 168960
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.9876491986215124e-05 168960
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 7.9124546609818833e-05 4347152
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 7.4228501878678815e-05 125440
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00028311901353299615 21139968
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00019063900969922546 266752
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 5.323102138936522e-05 25154064
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0011749589052051307 59465728 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0040917272176593548 56799232 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0027170395459979774 347904 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00049019100330770021 1570816
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00044615902565419677 0
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 5.0671001896262149e-05 25153552
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.00083787103556096554 59465728 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0027535509672015905 56799232 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0026816792096942652 429312 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00022686298750340938 2875392
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00036036699078977112 0
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 7.1662982925772641e-05 25419808
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.00084228702448308466 59465728 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0023364629354327916 56799232 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0021067990865558388 81664
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00026267095468938349 1555456
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.0031481431033462287 4480
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00060023901425302034 17039360
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00024760446604341264 266752 brief
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 1.2596464715897992e-05 266752
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 2.6036507450044163e-05 266240
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 1.3524494133889691e-05 266240
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 1.4676488004624849e-05 266240
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 3.1764543615281617e-05 3993872
row conv(out=160,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 2.952449675649401e-05 31360
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00060596697591245175 48353280
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00052836697362363338 184320
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00012023901008069515 67621523
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0024790229406207805 236716032 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0069628629293292761 229490688 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.002781422575935721 372480 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0004667669739574193 3194880
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0010560790207237007 0
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 8.7054988369345674e-05 184320
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.002354094943031669 236716032 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0068051347341388461 229490688 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0021342229451984172 560640 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00034740703366696835 6205440 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00098350294493138772 0
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00016055898927152157 71475839
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0024773588981479404 236716032 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0058850388135761027 229490688 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0023268951978534466 188160
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00047947098873555655 4214784
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.015552622964605689 4608
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0016684950198978185 11796480
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00070146048720926045 184320 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.6900506578385783e-05 184832
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 5.0676501356065307e-05 184320
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.5684452615678369e-05 184320
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.6548511348664777e-05 184320
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 8.5460460744798242e-05 4239632
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 8.1972486339509484e-05 131328
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00028894301317632201 21193216
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00019319899939000603 320000
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 5.3134998306632073e-05 26010128
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0013388949241489173 70762496 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0041128792371600874 68009984 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0027212633695453407 401152 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00048836698196828377 1624064
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00043915100954473017 0
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 5.3551008924841907e-05 26009616
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.00094939108751714225 70762496 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0030534548368304965 68009984 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0025065755452960731 482560 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00023959898017346859 2928640
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00042311898432672023 0
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 7.6558982953429204e-05 26329120
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.00095684715174138544 70762496 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0027266068067401642 68009984 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0021143507566303015 81664
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00026574303768575196 1605632
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.0033314390685409306 4608
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00063854300044476997 20447232
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00025112447794526819 320000 brief
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 1.512447651475677e-05 320000
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 2.38285129889846e-05 319488
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 1.2468508444726456e-05 319488
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 1.4132506214082255e-05 319488
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 3.0932522378861895e-05 4792592
row conv(out=192,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 2.9684505425393618e-05 37632
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0042627834571596218 462864384 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0041322901995798503 442368
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0003313750233501196 129335955
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0011037574095725672 582008832
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0042326917161787641 202506240 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0091662305467694796 187760640 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0036301707273500394 2248704
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0019474689424027623 29343744
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0076162406791001778 0
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00024711902998387808 129335443
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00081376003405712156 582008832
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0040171561511445188 202506240 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.008688343286385871 187760640 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0028018749707684654 4055040
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0011392533315841757 58245120
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0081615357788944482 0
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00044631900452077393 132874739
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0011193749513477087 582008832
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0040641428741530891 202506240 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0077134564781883566 187760640 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0041375807803506748 1806336
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0025700135482436427 33718272
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.054244726410770237 4608
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.013067486339093607 28311552
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0055764849560908823 442368
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0001527565484866498 443011
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0036409320417519972 2248704 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0019106743120899541 29343744 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0001339725023135543 442499
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0028994979296452432 4055040 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.001216682880075373 58245120 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00036318854149430991 5308915
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.003794484830461443 2691072
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0021474445825442677 29786112
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0087946418990234813 925065216
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0085165859049650735 221184
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0012878549601882693 411484688
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0030714389290660616 1851678720
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.012423585359501041 420741120 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.019931881812248621 375029760
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0054155993070453415 3833856
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0039873427953571079 58023936
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.01530073229393354 0
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00066635098122060305 411484307
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0018927190806716679 1851678720
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.012798459505609323 420741120 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.019349830263887629 375029760 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0036269490150157646 7446528
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0021374228801578285 115826688
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.016190418669859066 0
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.001471310993656516 415023711
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0028801109101623296 1851678720
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.01284260291081056 420741120 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.018552525712860927 375029760
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0072027627531536867 3612672
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0056004312243312605 77070336
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.20343877810097441 4608
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.028717709693526987 14155776
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.011936439071116214 221184
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0006928525334224105 221696
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0054288686658393003 3833856 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0039970649109905285 58023936
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00034354052599519492 221315
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0041547507473244909 7446528 brief
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0022974442160888001 115826688
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0012164365118369459 4424287
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0067393481498584156 4055040
row conv(out=192,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0045749643808230761 58245120
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00085694300197064889 87063552 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00075566299818456185 359424
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 9.8511001095175741e-05 31226515
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00031156698428094385 182541312 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0010913750734180213 49053696 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0031477269735187287 44851200 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0030554704274982224 698112
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00068807896040380017 5778432
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0017337750401347875 0
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 7.8286996111273777e-05 31226003
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00027134301327168947 182541312 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0010611990299075843 49053696 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0030816788282245389 44851200 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0029338073339313275 1036800
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00041793497465550904 11197440
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0020707029309123756 0
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00015979098342359065 34765407
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00035495903156697745 182541312 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0010103829707950355 49053696 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.002572494944557547 44851200 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0025111512746661901 338688
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00063697501085698623 6723584
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012283823331817986 4160
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0031399189736694101 23003136
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00086056444700807321 359424
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 4.33804905042052e-05 360067
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0020689809089526538 698112 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00045362052973359836 5778432 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.808447416871789e-05 359555
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0024278609519824373 1036800 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00033557251747697606 11197440 brief
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00012904447969049217 4977247
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0019957005744799974 1057536
row conv(out=208,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x96x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00055803654249757522 6137856
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00097559899650514136 101606400 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00087639900110661982 451584
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00011275101266801353 34622099
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0003420310076326132 202245120 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0012198551502078771 60784640 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0034322390165179967 56139776 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0031735834684222934 846848
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00077540694735944281 6773760
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00201713508926332 0
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 8.2990994676947609e-05 34621587
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00029323100112378593 202245120 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0012614230718463657 60784640 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0036140627469867467 56139776 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0029431514348834758 1241856
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00044484697841107844 13095936
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0022890390958636999 0
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00018241499923169613 38160991
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00047483097575604913 202245120 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0011885591354221104 60784640 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0028646869268268353 56139776 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0026371669378131633 395264
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00072823902033269418 7727104
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012262062987312675 4480
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0036336468961089851 28901376
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00091563651617616415 451584
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 5.1476499997079377e-05 452227
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0021700360542163256 846720 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00051400450523942721 6773760 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.9812502227723578e-05 451715
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0025038926368579277 1241856 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00037176445778459307 13095936 brief
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00013502848800271748 5345887
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0021068360572680848 1298304
row conv(out=224,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x112x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00060626057442277666 7225344
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00035255902074277399 51405056
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0002526869978755713 24832
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 9.4350984320044529e-05 53813651
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0013248151149600742 37961728 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0030808152761310332 32198656 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0026391830053180449 225280 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00036238302849233152 3235840
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00036436702869832517 0
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 6.8046992644667587e-05 24976
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.00099985500238835819 37961728 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0026655191984027624 32198656 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0017390875425189732 425984 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00030356701277196402 6447104 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00021774300001561642 0
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.8111008033156441e-05 12607488
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0010985430087894201 37961728 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0025389270391315221 32198656 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0020565590467303998 200704
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00042391904257237908 3361792
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.01228881455026567 4128
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00047307101450860502 1572864
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00029662851151078946 24832 brief
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 1.9060528837144361e-05 24832
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 3.0932522378861895e-05 24576
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.2484517656266766e-05 24848
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.3092499934136883e-05 24576
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 4.0404475294053574e-05 1941776
row conv(out=24,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 3.765248414129022e-05 18816
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00066295897029340276 53256192
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00058897500298917297 270336
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00013828699849545954 78946963
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0032360791768878696 344293376 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0092278546895831828 335863808 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0029448470678180455 477440
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00050385501049458978 3581952
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0015462549533694981 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00012535901926457883 270336
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0031203667726367713 344293376 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0088893589582294229 335863808 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0025203675832599407 684288 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00042971100471913816 6893568 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0015163670387119054 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00018071897886693479 82362847
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0031692311372607941 344293376 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0076417436208575966 335863808 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0024385108556598425 207104
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00054452695511281494 4917248
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.015258895179256797 4096
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0026195669975131752 17301504
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00076574853714555494 270336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 3.6244488321244647e-05 270848
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 6.7316479049623026e-05 270336
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.2372481189668143e-05 270336
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 3.3748514018952879e-05 270336
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00010846850927919158 9183504
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.00010446850117295981 131072
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00031979100964963438 21299200
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00020859100483357906 425984
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 5.6463023647666011e-05 27722256
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0014560468997806312 93356032 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0046410708036273727 90431488 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0027385110463947061 507648 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0004880149867385626 1730560
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00047598301433026785 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.8830996975302733e-05 27721744
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0011355990972369908 93356032 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0037899028863757843 90431488 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0024791187848895789 589056 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00026673499308526514 3035136
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00055207898281514655 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.537499628961087e-05 28147744
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0011633108463138342 93356032 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.003468302687630057 90431488 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021162709798663855 81664
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00027118297480046742 1705984
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0032738709058612587 4096
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00084612697921693334 27262976
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00028850049432367083 425984 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 1.614848431199789e-05 426496
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 2.5172508321702488e-05 425984
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 1.4836481772363179e-05 425984
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 1.6372493468224994e-05 425984
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 3.2084501348435938e-05 6390032
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 2.933251019567253e-05 50176
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0010954390373080969 116195328 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0010506070461124182 589824
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00011543900333344937 39715475
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00038212700746953487 231800832 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.001405518850311637 78381056 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0039186071958392868 73072640 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0034676632490009073 1041408
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00085790299437940121 7815168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0023152149226516486 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 9.1887017711997054e-05 39714963
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0003258710112422705 231800832 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0014154710378497836 78381056 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0038964309301227338 73072640 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0029127831067889925 1492992
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0005609429683536292 15040512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0026984470691531898 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00016075100563466547 43254367
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00047822301648557181 231800832 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0013438230361789462 78381056 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.003212174853309989 73072640 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0028120784368366012 451584
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0007901590671390296 8830976
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012894703080877661 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0042871830668300397 37748736
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0013958284622058272 589824
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 4.8372483812272543e-05 590467
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0022765643363818525 1041408 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00057381252106279126 7815168 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.5220491252839585e-05 589955
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0025153805976733576 1492992 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00041429249104112396 15040512 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00012949249800294643 5898847
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0021823880439624187 1631232
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00065758845862001183 8404992
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0017266390528529881 130802688 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0016665110345929861 746496
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00016955100558698177 44845971
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00050801498256623746 261522432 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0016375510301440954 98205696 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.004645839175209404 92233728 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.003798479041084647 1254656
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0011607190575450659 8875008
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0032246549334377051 0
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.000133294990286231 44845203
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00049553500674664975 261522432 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.001686158975586295 98205696 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0049876632299274207 92233728 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.003077614745125174 1762560
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00070164706371724612 17003520
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.004333614995703102 0
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00031089498661458488 52709791
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00063367902301251892 261522432 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0016536790933459997 98205696 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0040824470128864058 92233728 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0031790227498859178 508160
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00090753491781651993 9934848
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012463886639103293 4608
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0058925909306854016 47775744
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.001750708437524736 746496
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 9.4004503451287715e-05 747395
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0024282448058947927 1254528 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00064930055197328328 8875008 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 8.9204496704041987e-05 746627
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0026280843978747728 1762560 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0004519565468654036 17003520 brief
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00024885246809571983 10850719
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0023957001930102711 2001024
row conv(out=288,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x144x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00078165254648774858 9621504
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00048427101038396359 77082624
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00044439901970326902 12288
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00012913500331342218 89928083
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0016772628631442784 51953664 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0036847190465778101 42921984 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0018709911908954386 313344 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00040827103517949575 4829184
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00056679903529584415 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 2.891100011765959e-05 12560
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0016770710553973911 51953664 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0037105111684650181 42921984 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0017394070234149693 614400 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0003559189941734076 9646080 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00035687903128564356 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.5023015961050925e-05 6304016
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0016178389396518469 51953664 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0030995668973773723 42921984 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0022107033338397745 301056
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00056996705196797853 5619712
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.043328272422775628 4096
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00141799901984632 786432
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00050558850821107626 12288 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 3.0196524225175375e-05 12544
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 5.112448986619712e-05 12288
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.1124449335038614e-05 12560
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 3.173252101987602e-05 12288
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.5028515420854082e-05 1634560
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 7.2532511316239867e-05 100352
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00061783902905881408 102777088
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00053355102799832832 16640
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00015095900557935234 115622291
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0020448149051517247 68698112 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.004448078593239189 57085952 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0019849109258502731 417792 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00050788696669042111 6438912
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00074500693939626226 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 4.2511006817221619e-05 16656
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0020670231189578773 68698112 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0043859986867755647 57085952 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0018266071882098909 819200 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0004451349582523107 12861440 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00047438300214707851 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 8.5262974724173524e-05 8404992
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0019702548589557406 68698112 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0036738385763019324 57085952 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0023208145704120393 401408
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0006708629336208107 7225344
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.043788942715153101 4096
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0014154390301555396 1048576
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00059134847577661277 16640 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 3.8740492425859026e-05 16640
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 6.3348508439958108e-05 16384
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 3.746048267930749e-05 16656
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 3.6436504684388656e-05 16384
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00012382849212735897 100352
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 7.9476482234895214e-05 100352
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00035531099699437612 51413248
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00025684701465070246 33024
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 8.2254996523261088e-05 54624528
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0013756950702518223 48168960 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0030475673284381627 42319872 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0025298704709857708 233472 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00035748698376119134 3244032
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00036836703680455688 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 4.3470999225974101e-05 32768
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0010910551156848667 48168960 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0028540954198688277 42319872 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0017557267751544714 434176 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00031470300815999509 6455296 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00023431900702416893 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.8942999467253661e-05 16809984
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.001172655066475272 48168960 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0025959829892963165 42319872 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0020858068075031047 200704
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00042516698502004143 3411968
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.013538831194862723 4096
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00050967898033559336 2097152
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00029886848386377092 33024 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 1.8452501855790546e-05 33024
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 3.1156516633927802e-05 32768
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 1.845248695462943e-05 32768
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.1876490674912924e-05 32768
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 3.8740492425859026e-05 2588944
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 3.6916485987603645e-05 25088
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00036126299761235709 53019904
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00026254301331937312 34048
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 8.8334998115897155e-05 56231184
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0013943188991397619 49659904 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.003139214476570487 43638784 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0025410389509052029 240896 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00037198298238217824 3345408
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00038110296986997125 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 8.1390997394919414e-05 33792
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0011132949199527502 49659904 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0028988308515399699 43638784 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.001863502940163016 447744 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00031623899005353448 6657024 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00025739101134240628 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 8.2767000421881675e-05 17335296
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0011780629958957434 49659904 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0026235031690448525 43638784 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0021204309072345496 207104
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00043201496265828613 3512320
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.013562095170840621 4096
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00095771100185811531 2162688
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00024571648892015218 34048 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.1044499240815677e-05 34320
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 2.9556489549577267e-05 33792
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.0564488135278239e-05 33792
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.1812490187585374e-05 33792
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 4.0820515714585828e-05 2749712
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x528x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 3.9540505968034293e-05 25088
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00023019098304212092 20926720 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 7.0127001032233247e-05 53504
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 4.9935003742575628e-05 56832
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.00078007896803319453 14278656 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0027341591920703651 11956224 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0025685591306537389 134912 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00038295902870595449 1357824 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00015943900309503079 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.6638990268111254e-05 53248
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.00048769505880773067 14278656 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0015736469831317663 11956224 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0022558545675128686 216320 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00019083101116120814 2662400 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00010871899686753748 0
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.4719012007117267e-05 21782560
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.00047198291681706906 14278656 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0014171027746051547 11956224 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0026702551450580362 81664
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00024795099161565296 1354752
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.0028213268872350453 4096
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00023540701530873773 3407872
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0001714765196666122 53504 brief
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 9.6845394000410963e-06 53504
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 1.4356500469148189e-05 53248
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 1.2372515164315676e-05 53520
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 1.1540508829057205e-05 53248
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 2.7508473955094811e-05 1011984
row conv(out=32,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 2.5556496344506725e-05 6272
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00076609503291547314 160588800 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00068283098004758361 25600
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.000102158984169364 19319056
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00028001501224935051 133278720 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00075879903696477412 7667712
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0019992789831012494 5160960 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0022006549444049599 652800 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00070289494656026357 10060800
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00080567902885377409 0
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 8.4206989035010344e-05 19318800
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00028203100524842731 133278720 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00074180706404149545 7667712
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0020574869718402622 5160960
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0036218385305255654 1280000 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00042401500605046761 20096000 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0015844949688762426 0
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0001279510017484426 23252095
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00034651102684438222 133278720 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00070183905027806752 7667712
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0018830232229083772 5160960
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0024800152387470004 627200
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0008860309924930334 10838016
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.039383533766493201 4096
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0015521109756082296 1638400
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00070590851362794626 25600
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 6.0692525468766733e-05 25856
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.002213493085466325 652800 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00068901256378740058 10060800 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.8260492049157619e-05 25600
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0038758923774585125 1280000 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00047224453743547208 20096000 brief
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 9.9188483320176619e-05 4035711
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0024643399482592947 678400
row conv(out=32,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00074306044634431603 10086400
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0019541909303516149 145428480 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0018763029035180807 921600
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00016763100586831566 50013075
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00054027100466191782 291409920 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0018556309547275306 120258560 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0052403668966144326 113623040 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0039463829603046188 1486080
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.001266543021425605 9953280
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0036049110051244496 0
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00014526300691068174 50012307
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00054481502436101433 291409920 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0018414868917316198 120258560 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0053817114438861622 113623040 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0031713108625262974 2050560
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00069102304242551322 18984960
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0049099029209464795 0
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00026139100454747674 50012176
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00064827098511159424 291409920 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0017630228605121374 120258560 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0049786395635455852 113623040 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0033271832074970001 564480
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00096254303120076653 11038720
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012931182941421867 5120
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0066117908861488108 58982400 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0021246286099776629 921600
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 8.395648654550314e-05 922499
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0025505807166919113 1486080 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00073301253374665962 9953280 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 9.6564508043229589e-05 921731
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0026264202361926448 2050560 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00047106049116700895 18984960 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00021822849567979576 3686416
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0023942606216296558 2407680
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00081614849623292676 10874880
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00059252697788178934 37048320 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00054795100353658202 921600
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 6.4526995643973339e-05 13886355
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00020475099049508573 79073280 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00072615905664861222 37785600 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0024525594320148236 35712000 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0030190863218158485 1062912 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00084401502273976812 3179520
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00096551900170743462 0
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.5278992280364031e-05 13885456
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00017393500171601769 79073280 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00072007902525365365 37785600 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0024102229680866001 35712000 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0033381270971149213 1203968 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00035892703197896482 5437440
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0015701909866183996 0
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.7902993187308316e-05 13885456
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00018577500246465207 79073280 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00068455894850194445 37785600 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0019399509038776157 35712000 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021511830892413856 141312
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00034705497883260244 2759680
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0029457750525325537 5120
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0016369749512523412 58982400 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0006798925017938018 921600
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 3.4996486268937566e-05 922499
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0020910928016528497 1062720 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0002691084509715438 3179520 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.762049134820699e-05 921600
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0024299723869189624 1203840 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00020331648644059895 5437440 brief
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 6.6036484204232715e-05 3686416
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0018293006187304853 1984320
row conv(out=320,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x160x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00028002051170915369 4101120
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00044478302262723448 21512192
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00039342298172414299 638976
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 7.1470996364951135e-05 31146899
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0017018071021884678 138543104 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0057633752431720505 135274496 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0028042707052081833 720640 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00058206298016011729 1943552
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00075598304532468314 0
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.7230984792113341e-05 31146131
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0015013269986957312 138543104 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0054216150846332313 135274496 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0025998544301837679 802048 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00032247897051274776 3248128
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0008045910503715277 0
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 9.8287006840109834e-05 31784992
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0015127509441226722 138543104 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0044257754888385546 135274496 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.002143054923042655 81664
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00029649498127400862 1906688
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0032685269322246312 4608
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0012185110207647083 40894464 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00055138046201318495 638976 brief
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.0212507806718403e-05 639744
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 3.2852507196366805e-05 638976
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 1.931647118180988e-05 639248
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 1.9380501471459878e-05 638976
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 5.240449961274871e-05 638976
row conv(out=384,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 4.7412506304681312e-05 75264
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00077447899244725718 44679168 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00076049496792256839 1327104
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 8.1870993599295628e-05 17105811
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00026907098852097986 96878592 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00091723092459142198 53747712 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0030188312139362091 51259392 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.003303182562813162 1496576 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0010966549720615149 4036608
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0014198549892753363 0
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 6.0142999514937418e-05 21037351
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00020551901124417783 96878592 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00095991905592381955 53747712 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0032008790578693159 51259392 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0034451994504779569 1665792
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00044983901642262937 6746112
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.001971342941746116 0
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 8.62229969352484e-05 17104912
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00022139101289212702 96878592 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00083601506613194948 53747712 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0022795028295367957 51259392 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0023417749013751742 169472
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00038705505989491945 3311616
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.0035428310837596652 4608
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0023069269414991139 84934656 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0009692364847287535 1327104
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 4.846850689500569e-05 1328003
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0022022282844409353 1496448 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00031330052670091392 4036608 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.9828500710427749e-05 5259543
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0024500682121142751 1665792
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00022910848911851647 6746112 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 6.6164485178887841e-05 5308432
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0018650443321093911 2823552
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00030542848166078331 5363712
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00024110301397740842 20953344 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 8.0111017450690272e-05 80128
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 6.5646966919302981e-05 83456
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.00079099102877080443 19927040 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0027572626676410435 17561600 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0025893268194049604 161536 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00038087897561490535 1384448 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00016142298839986324 0
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 3.3263003453612311e-05 79872
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.00053127904795110235 19927040 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0017264151182025673 17561600 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.002410222968086601 242944 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00018545498512685297 2689024 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00014167899452149866 0
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 6.7278986796736747e-05 22237216
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.00053303893469274063 19927040 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0016287512388080357 17561600 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0026779355611652148 81664
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00024926294945180411 1379840
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.0030729109998792409 4224
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.00025249499641358855 5111808
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00017429248150438074 80128 brief
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 1.0612464509904444e-05 80128
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 1.9828504882752943e-05 79872
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 1.1540449224412472e-05 80144
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 1.2276506982743753e-05 79872
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 2.894846256822356e-05 1517840
row conv(out=48,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x832x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 2.5908506475388982e-05 9408
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00021060701273381709 40179200 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00018625501357018949 38400
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 5.6943004950881027e-05 6499600
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00010743898712098597 44859904
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00047268708609044544 3575808 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0015650386419147253 2469888 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0024891347493976343 195328 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00033086301945149893 2547200
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00020772699080407619 0
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.9294998869299915e-05 6499344
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 9.2559000477194774e-05 44859904
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00047559901140630233 3575808
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0016308950986713175 2469888 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0036994390096515418 352000 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00030254300497472284 5056000
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00060942297242581845 0
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00023950298689305778 13165831
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00011783898435533049 44859904
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00047268708609044565 3575808
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0015491027440875777 2469888 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0019918865766376252 156928
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00037035103701055059 2809856
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.010708559101447463 4224
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00044011098705232145 2457600
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00019352448638528587 38400
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 3.4356511197984247e-05 38656
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0017620045905932778 195200 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00025458053406327968 2547200 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.490050788968801e-05 38400
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.003729108548723162 352000 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00027499649580568075 5056000 brief
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00023746053036302329 13242631
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0018278605705127117 233600
row conv(out=48,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x16x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00032498047407716505 2585600
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00052119897864758979 77094912
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00046523099206388001 24576
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00015028699301183223 102785427
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0022017749156802891 93585408 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.00514555068872869 83263488 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0018955993261188264 325632 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00042657502554357046 4841472
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00059204702638089655 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.1087001785635898e-05 24848
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0021261270847171541 93585408 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0050520152654498817 83263488 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0017809438314288864 626688 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00035009499453008173 9658368 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00062846299074590208 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00010964699648320681 12607760
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0021205590572208164 93585408 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0044155344571918248 83263488 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0022602071370929487 301056
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0006183510031551123 6422528
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.055317680081352592 4096
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0018376149144023657 1572864
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00062677249964326616 24576 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 3.3300495706498564e-05 24832
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 6.6164500080049038e-05 24576
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.0484533868729974e-05 24848
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 3.0644482932984848e-05 24576
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00011525250133126977 3268864
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.00011144447978585956 131072
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00069732697866857062 102793216
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00059047900699079052 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00017524703405797482 128483731
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0026673112716525797 123633664 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0062691988553851838 110731264 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0020221910085529084 434176 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00051844700239598749 6455296
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00078423904441297053 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.841497562825676e-05 33040
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0026079829540103677 123633664 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0060351194944232699 110731264 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0018369435872882607 835584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00043623902462422843 12877824 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00083745502494275584 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00011975898407399649 16809984
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0025623828973621128 123633664 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0056687187757343055 110731264 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0023789271917194128 401408
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00073115100525319586 8028160
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.056021936764940619 4096
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0018370070364326239 2097152
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00075384450610727072 32768 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 4.0660536848008668e-05 33024
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 7.1732497774064545e-05 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.7652528844773784e-05 33040
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 3.6884493194520469e-05 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00016331649478524922 131072
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.00012344450410455465 131072
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00037233500741422175 48230400
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00025790303014218804 61440
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 9.7358992323279359e-05 54653331
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0015764308776706456 83492864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.004063182791694998 77643776 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0027126874532550573 249600 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00039745499752461916 3072000
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00035006298683583738 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 5.0383007153868666e-05 61440
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0013316630925983191 83492864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0036175508107990037 77643776 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0017451352681964638 437760 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00029895903728902339 6082560 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00037387100420892234 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 9.1279020532965659e-05 31518720
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0013932948913425208 83492864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0032593431081622847 77643776 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021821269597858193 188160
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00042503895424306394 3411968
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.015704367404803632 4096
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00058987100981175899 3932160
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0002816524868831039 61440 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 1.8164492212235947e-05 61696
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 3.1988478265702736e-05 61440
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 1.7076469026506026e-05 61440
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.088450547307732e-05 61440
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 4.5044518075883393e-05 3993872
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 3.9380512200295936e-05 50176
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00038811098597943779 51445760
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00027627103589475155 65536
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 9.7294976934790613e-05 57868691
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0016598549690097571 88997888 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0041084951963275664 82804736 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0025860948171466587 266240 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00039982303045690056 3276800
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00037819098494946957 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.8974996432662058e-05 65536
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0013510870542377232 88997888 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0035244946088641882 82804736 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0016925267782062297 466944 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00030411099456250669 6488064 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00038180700503289702 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 9.25269927829504e-05 33619968
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0014533589687198401 88997888 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0031333584394305941 82804736 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0021261591520160433 200704
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00042919906042516244 3612672
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.015684910824522377 4096
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00059003097377717496 4194304
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00034987652953714135 65536 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 1.8100536428391933e-05 65792
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 2.5972521863877756e-05 65536
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 1.730052288621672e-05 65536
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 2.1460509859025484e-05 65536
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 4.1492498479783603e-05 4784400
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 4.0500513277947863e-05 50176
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00068145500682294366 102768896
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00063899098895490178 8448
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00033572699688374992 205529491
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0039547030534595254 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0072994069661945112 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0020994071569293738 409600 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00068334301374852662 6430720
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00089067097567021843 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 5.6463023647666011e-05 8464
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0039130388107150799 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0072212309446185834 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0019279193487018345 811008 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00046145500801503665 12853248
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00081979103945195684 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00027671899460256097 4202768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0040373268928378826 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0067752151098102341 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0030900950040668265 401408
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0010566550102084876 12845056 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.22156186988018453 4096
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0073845911230891953 524288
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00067710850294679407 8448 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 6.2036490999162173e-05 8448
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.00023595649655908351 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 5.6116498075425606e-05 8464
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 5.646852310746906e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00033925256785005334 2122000
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.00033586049731820826 131072
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00038871899805963036 60288000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00028199898265302183 76800
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 6.004700623452661e-05 8984848
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00013825499080121514 62030848 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00049451096914708613 6230016
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.001601711234077811 4709376 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0024964313115924601 312064 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.00043780699931085103 3840000
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00030948699079453939 0
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.9263006076216711e-05 8984592
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0001185110118240118 62030848 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00049886306189000603 6230016
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0016592788305133583 4709376 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0036601433362811815 547328 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00034612696431577202 7603200
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00081563105247914813 0
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 8.5550999268889429e-05 10623451
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00014116699062287808 62030848
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00048583897016942504 6230016
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0015441431608051062 4709376 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.00202209516428411 235264
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00045166297815740108 4164608
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.01212804671190679 4096
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00083070295117795465 4915200
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00029125247057527307 76800
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 3.7492490373551836e-05 77056
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0018611724143847823 312000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00033048448618501432 3840000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.5316503606736674e-05 76800
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.003715444303117692 547200 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00029381249006837608 7603200 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 7.0644474588334624e-05 1946075
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0018451726203784346 388800
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x24x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00038498053606599573 3916800
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.00041819100640714163 80384000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.00035118297301232811 102400
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 4.5583000406622883e-05 9838864
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00015342300198972224 67940352 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.00052164705656468867 7815168
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0016529109086841341 6156288 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0025786389913409953 416000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0005328790154308081 5120000
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.00040337500534951687 0
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 4.7791009768843615e-05 9838608
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00012519901059567927 67940352 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.00051687904261052615 7815168
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0016657428350299601 6156288
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0036774549093097444 729600 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00032980697415769096 10137600 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.00083515097759664057 0
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 6.8751012906432155e-05 11477467
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.000150926997885108 67940352 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.00050635095499455948 7815168
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0015355670060962444 6156288 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0020982870664447545 313600
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00053553499840199958 5419008
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012058638965710997 4096
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.00092187096737325212 6553600
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.00038152447994798419 102400
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 2.3124507628381256e-05 102656
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0019738766914233568 416000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00039547649677842863 5120000 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 3.3716506324708479e-05 102400
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0035453321700915697 729600 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00029554051812738183 10137600 brief
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 5.4196498356759581e-05 2048475
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0018775245910510419 518400
row conv(out=64,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00044030854757875208 5222400
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_gemm 256 0.024423097350169568 18944 brief
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_implicit 256 0.0034255188908427952 18944
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_precomputed 256 0.0029955670442432165 616632080
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 forward gemm 256 0.0071766228284686814 3706880
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 forward gemm_16 256 0.0054359830822795635 59025920
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 forward implicit 256 0.005516719004139305 0
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter cudnn_precomputed 256 0.0025755030121654273 622753424
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter gemm 256 0.0098514713849872336 3687936
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter gemm_16 256 0.0076748628225177537 84697088
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter implicit 256 0.86379331239126622 4096
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter implicit_parts 256 0.028393199374899269 1204224
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward cudnn_implicit 256 0.0084029000466689461 50176
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward cudnn_precomputed 256 0.0017265164619311691 50432
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc 256 0.011221972680650652 9884672
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc_16 256 0.010158612585626543 157402112
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter cudnn_precomputed 256 0.0019721485143527392 6322320
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc 256 0.01288488361891359 9934848
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc_16 256 0.010773748791776599 157452288
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00047463901899754996 77107456
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00041911896131932737 37120
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00017361499927937983 115642771
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0025826711263507601 135217152 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0063344149198383097 123604992 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0019413909520953894 337920
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00046535905264317995 4853760
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.0011599829401820897 0
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 3.5855015739798531e-05 37136
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0025742870178073643 135217152 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0060506710615009073 123604992 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.001820622881874442 638976 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00036225499771535397 9670656 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00091710295341908938 0
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00014164700172841549 18911232
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0025236950721591713 135217152 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0053724631872028106 123604992 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0022991194333881145 301056
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00067118301056325448 7225344
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.054680400183424356 4224
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0020506069567054509 2359296
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00049240449722856279 37120 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 4.6196497045457327e-05 37120
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.00010917249973863359 36864
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 3.6052501760423141e-05 37136
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 3.6820507608354116e-05 36864
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00015346050914376974 3281152
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x192x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.00015061250980943441 131328
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.00035118298791348931 48261376
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00024129497073590753 92416
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00011239900253713128 57895184
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0017546710576862099 121798656 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0049101585950702435 115605504 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0027336473073810348 280320 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.00041435100696980963 3102720
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.00069854300282895564 0
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 5.6974982842803034e-05 92160
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0015804950799793004 121798656 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0044748630132526168 115605504 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0018785433378070595 468480 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00031623900495469568 6113280 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.00052299102209508433 0
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00011755098961293698 47278080
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0016430229749530554 121798656 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0041069588270038378 115605504 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0022196316327899699 188160
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.00044305499456822874 3612672
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.013675823053345084 4224
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0010381909515708686 5898240
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.00025374848302453761 92416 brief
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 2.2836483083665379e-05 92416
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 3.8900501094758525e-05 92160
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 2.2036529146134845e-05 92160
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 2.3604503832757443e-05 92160
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 5.5156505666673178e-05 4147472
row conv(out=96,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=1)x=256x480x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 5.2628508768975705e-05 75264
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0015574230160564184 321280000 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0014121109899133443 153600
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00015847899578511716 51687827
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00075499104522168642 356648960 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0016530710067600011 34865152
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0033150872793048622 28180480 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0029466065969318144 1408000
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0013223830070346592 20224000
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.003199374964460731 0
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00019467102549970152 51687440
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0006931669916957618 356648960 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0014495509471744298 34865152
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0030948309507220985 28180480
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0038659667577594522 2662400
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.00077259095571935172 40294400
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0050371668841689829 0
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00027831902168691156 54964699
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00063911898992955688 356648960 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.001422510942444205 34865152
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0027940950002521268 28180480
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0032832474317401653 1254400
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.00170609494112432 22478848
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.051292749186977744 4224
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0061598228123039009 9830400
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.001648372537456453 153600
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 6.9876528345048382e-05 153987
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0029144198661670089 1408000 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0013001804118975995 20224000 brief
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00014306048210710291 153600
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0039345490699633943 2662400
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00078670851048082114 40294400
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00025400451477617021 3891675
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.003192788816057147 1561600
row conv(out=96,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x32x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0014326605563983322 20377600
row convert()x=256x1024x1x1:bf16:nhwc;y=256x1024x1x1:bf16:nchw;dx=1;needs=0,0 forward native 256 2.0308501087129102e-05 0
row convert()x=256x1024x1x1:bf16:nhwc;y=256x1024x1x1:bf16:nchw;dx=1;needs=0,0 backward_data native 256 1.7300507985055442e-05 0
row convert()x=256x3x224x224:bf16:nchw;y=256x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 256 0.00015029249247163536 0
row dropout(p=0.40000000000000002)x=256x1024x1x1:bf16:nchw;y=256x1024x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 7.5100921094414468e-07 0
row dropout(p=0.40000000000000002)x=256x1024x1x1:bf16:nchw;y=256x1024x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 5.2700005471706821e-07 0
row fc(out=1000,bias=1)x=256x1024x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 1.1822989210486412e-05 2048000
row fc(out=1000,bias=1)x=256x1024x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00012747099064290524 0
row fc(out=1000,bias=1)x=256x1024x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 7.9829897731542537e-06 2048000
row fc(out=1000,bias=1)x=256x1024x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 9.4031011685729039e-05 0
row fc(out=1000,bias=1)x=256x1024x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 1.7518987879157045e-05 4000
row fc(out=1000,bias=1)x=256x1024x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 4.6159004792571101e-05 4000 brief
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x192x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00089431898854672902 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x192x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0018639830257743595 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x192x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00020523650106042625 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x192x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00038235650118440397 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x256x28x28:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0011920789685100318 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x256x28x28:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0024840790536254645 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x256x28x28:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00026728451903909448 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x256x28x28:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00047301248367875815 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x480x14x14:bf16:nchw;y=256x480x14x14:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00055246301554143435 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x480x14x14:bf16:nchw;y=256x480x14x14:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0011035990323871375 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x480x14x14:bf16:nhwc;y=256x480x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00012542850431054836 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x480x14x14:bf16:nhwc;y=256x480x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00023160449322313074 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00058894296549260618 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0011789269950240851 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.0001319244867190719 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00023192454036325213 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x528x14x14:bf16:nchw;y=256x528x14x14:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0006075029876083136 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x528x14x14:bf16:nchw;y=256x528x14x14:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0012158870007842777 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x528x14x14:bf16:nhwc;y=256x528x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00013736448343843225 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x528x14x14:bf16:nhwc;y=256x528x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00025179646071046591 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x832x7x7:bf16:nchw;y=256x832x7x7:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00023483099602162835 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x832x7x7:bf16:nchw;y=256x832x7x7:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.00047710300050675869 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x832x7x7:bf16:nhwc;y=256x832x7x7:bf16:nhwc;dx=1;needs=8,0 forward native 256 5.2884495817124815e-05 0
row maxpool(kernel=3x3,stride=1x1,pad=1x1,ceil=0)x=256x832x7x7:bf16:nhwc;y=256x832x7x7:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 9.6116489730775382e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x192x56x56:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00096116699837148179 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x192x56x56:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0051247830893844373 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x192x56x56:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00022571647819131618 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x192x56x56:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00092075655516237007 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x480x28x28:bf16:nchw;y=256x480x14x14:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00057537501119077209 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x480x28x28:bf16:nchw;y=256x480x14x14:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0032808150853961709 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x480x28x28:bf16:nhwc;y=256x480x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00014190850313752892 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x480x28x28:bf16:nhwc;y=256x480x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00052693248447030776 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x64x112x112:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0013075349833816289 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x64x112x112:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0067405272331088782 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x64x112x112:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00030059648212045432 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x64x112x112:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.0012145164972171187 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x832x14x14:bf16:nchw;y=256x832x7x7:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00024395098350942136 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x832x14x14:bf16:nchw;y=256x832x7x7:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0014130069818347692 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x832x14x14:bf16:nhwc;y=256x832x7x7:bf16:nhwc;dx=1;needs=8,0 forward native 256 6.2292522750794874e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=1)x=256x832x14x14:bf16:nhwc;y=256x832x7x7:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00020731649454683066 0
row relu()x=256x112x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 6.6709872335195149e-06 0
row relu()x=256x112x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 4.8470105975866641e-06 0
row relu()x=256x112x14x14:bf16:nchw;y=256x112x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 4.8470105975866098e-06 0
row relu()x=256x112x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 6.6765015944838727e-06 0
row relu()x=256x112x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 5.0444966182112771e-06 0
row relu()x=256x112x14x14:bf16:nhwc;y=256x112x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 5.1084971055388267e-06 0
row relu()x=256x128x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 7.3110070079565336e-06 0
row relu()x=256x128x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 5.5509861558675876e-06 0
row relu()x=256x128x14x14:bf16:nchw;y=256x128x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 5.4549928754567803e-06 0
row relu()x=256x128x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 7.5404858216642959e-06 0
row relu()x=256x128x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 5.620486102998244e-06 0
row relu()x=256x128x14x14:bf16:nhwc;y=256x128x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 5.7804947718977979e-06 0
row relu()x=256x128x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 3.6751022562384606e-05 0
row relu()x=256x128x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.721499465405939e-05 0
row relu()x=256x128x28x28:bf16:nchw;y=256x128x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 2.6575019583106071e-05 0
row relu()x=256x128x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 3.797248657792805e-05 0
row relu()x=256x128x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 2.7316487394273304e-05 0
row relu()x=256x128x28x28:bf16:nhwc;y=256x128x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 2.6772505603730684e-05 0
row relu()x=256x128x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.2310054153203856e-06 0
row relu()x=256x128x7x7:bf16:nchw;y=256x128x7x7:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.4549996703863465e-06 0
row relu()x=256x128x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 1.5564924106002063e-06 0
row relu()x=256x128x7x7:bf16:nhwc;y=256x128x7x7:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 1.6845082864165567e-06 0
row relu()x=256x144x14x14:bf16:nchw;y=256x144x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 8.3029922097921647e-06 0
row relu()x=256x144x14x14:bf16:nhwc;y=256x144x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 8.4365075454115676e-06 0
row relu()x=256x160x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 9.1989990323781852e-06 0
row relu()x=256x160x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 7.1190055459737762e-06 0
row relu()x=256x160x14x14:bf16:nchw;y=256x160x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 7.2149988263845294e-06 0
row relu()x=256x160x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 9.0124970301985887e-06 0
row relu()x=256x160x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 7.124490104615686e-06 0
row relu()x=256x160x14x14:bf16:nhwc;y=256x160x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 7.124490104615686e-06 0
row relu()x=256x160x7x7:bf16:nchw;y=256x160x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 2.607008442282647e-06 0
row relu()x=256x160x7x7:bf16:nhwc;y=256x160x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 2.7404939755797374e-06 0
row relu()x=256x16x14x14:bf16:nchw;y=256x16x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 1.5830006450414458e-06 0
row relu()x=256x16x14x14:bf16:nhwc;y=256x16x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 1.5565073117613761e-06 0
row relu()x=256x16x28x28:bf16:nchw;y=256x16x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 4.1430201381444623e-06 0
row relu()x=256x16x28x28:bf16:nhwc;y=256x16x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 4.4044917449355094e-06 0
row relu()x=256x192x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 8.3989854902029178e-06 0
row relu()x=256x192x14x14:bf16:nchw;y=256x192x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 8.3990003913641147e-06 0
row relu()x=256x192x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 8.4044998511671672e-06 0
row relu()x=256x192x14x14:bf16:nhwc;y=256x192x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 8.5004931315779746e-06 0
row relu()x=256x192x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 4.0366997942328464e-05 0
row relu()x=256x192x28x28:bf16:nchw;y=256x192x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 3.9759000763297096e-05 0
row relu()x=256x192x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 4.0340489707887167e-05 0
row relu()x=256x192x28x28:bf16:nhwc;y=256x192x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 3.9828485809266607e-05 0
row relu()x=256x192x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00016238298080861567 0
row relu()x=256x192x56x56:bf16:nchw;y=256x192x56x56:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00015892701409757137 0
row relu()x=256x192x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00016178048308938744 0
row relu()x=256x192x56x56:bf16:nhwc;y=256x192x56x56:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00015726850088685756 0
row relu()x=256x192x7x7:bf16:nchw;y=256x192x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 3.4069921821356019e-06 0
row relu()x=256x192x7x7:bf16:nhwc;y=256x192x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 3.3485060557723287e-06 0
row relu()x=256x208x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 8.8790263980627222e-06 0
row relu()x=256x208x14x14:bf16:nchw;y=256x208x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 9.1670062392950359e-06 0
row relu()x=256x208x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 8.9805191382765821e-06 0
row relu()x=256x208x14x14:bf16:nhwc;y=256x208x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 8.9165037497877813e-06 0
row relu()x=256x224x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 9.7429957240820028e-06 0
row relu()x=256x224x14x14:bf16:nchw;y=256x224x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 9.8709966987371022e-06 0
row relu()x=256x224x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 9.8445182666182565e-06 0
row relu()x=256x224x14x14:bf16:nhwc;y=256x224x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 9.8125105723738561e-06 0
row relu()x=256x24x14x14:bf16:nchw;y=256x24x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 1.7750021070241761e-06 0
row relu()x=256x24x14x14:bf16:nhwc;y=256x24x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 2.0685112103819631e-06 0
row relu()x=256x256x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.0863026604056378e-05 0
row relu()x=256x256x14x14:bf16:nchw;y=256x256x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.0639002546668078e-05 0
row relu()x=256x256x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 1.1156505905091798e-05 0
row relu()x=256x256x14x14:bf16:nhwc;y=256x256x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 1.0868496261537091e-05 0
row relu()x=256x256x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.767002210021004e-06 0
row relu()x=256x256x7x7:bf16:nchw;y=256x256x7x7:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 3.0549969524145146e-06 0
row relu()x=256x256x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 2.9964959248900174e-06 0
row relu()x=256x256x7x7:bf16:nhwc;y=256x256x7x7:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 3.2204901799559512e-06 0
row relu()x=256x288x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.2110998854041065e-05 0
row relu()x=256x288x14x14:bf16:nchw;y=256x288x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.2174984440207472e-05 0
row relu()x=256x288x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 1.2308484874665732e-05 0
row relu()x=256x288x14x14:bf16:nhwc;y=256x288x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 1.2692517600953587e-05 0
row relu()x=256x320x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.3454994186759007e-05 0
row relu()x=256x320x14x14:bf16:nchw;y=256x320x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.4094999060034721e-05 0
row relu()x=256x320x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 1.3940519653260722e-05 0
row relu()x=256x320x14x14:bf16:nhwc;y=256x320x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 1.4452493749558942e-05 0
row relu()x=256x320x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 3.6950167268514249e-06 0
row relu()x=256x320x7x7:bf16:nchw;y=256x320x7x7:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 3.5990085452795291e-06 0
row relu()x=256x320x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 3.7005012854933889e-06 0
row relu()x=256x320x7x7:bf16:nhwc;y=256x320x7x7:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 3.7324940785765382e-06 0
row relu()x=256x32x14x14:bf16:nchw;y=256x32x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 2.2870060056447902e-06 0
row relu()x=256x32x14x14:bf16:nhwc;y=256x32x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 2.3244982585310733e-06 0
row relu()x=256x32x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 7.439007982611633e-06 0
row relu()x=256x32x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 5.6469943374395377e-06 0
row relu()x=256x32x28x28:bf16:nchw;y=256x32x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 5.7749953120946912e-06 0
row relu()x=256x32x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 7.4764853343367463e-06 0
row relu()x=256x32x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 5.4605072364211381e-06 0
row relu()x=256x32x28x28:bf16:nhwc;y=256x32x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 6.0685044154524512e-06 0
row relu()x=256x32x7x7:bf16:nchw;y=256x32x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 7.8300200402737528e-07 0
row relu()x=256x32x7x7:bf16:nhwc;y=256x32x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 1.3004904612898721e-06 0
row relu()x=256x384x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 4.015004262328139e-06 0
row relu()x=256x384x7x7:bf16:nchw;y=256x384x7x7:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 4.4949855655431559e-06 0
row relu()x=256x384x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 4.3405061587691024e-06 0
row relu()x=256x384x7x7:bf16:nhwc;y=256x384x7x7:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 4.6604936942458165e-06 0
row relu()x=256x48x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.2230055183172406e-06 0
row relu()x=256x48x14x14:bf16:nchw;y=256x48x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 2.6390012353658505e-06 0
row relu()x=256x48x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 2.3244982585311004e-06 0
row relu()x=256x48x14x14:bf16:nhwc;y=256x48x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 2.644515596330154e-06 0
row relu()x=256x48x7x7:bf16:nchw;y=256x48x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 1.2309905141592158e-06 0
row relu()x=256x48x7x7:bf16:nhwc;y=256x48x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 1.2685125693679197e-06 0
row relu()x=256x64x112x112:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00021451099775731563 0
row relu()x=256x64x112x112:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00021105500124394893 0
row relu()x=256x64x112x112:bf16:nhwc;y=256x64x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00021477249916642907 0
row relu()x=256x64x112x112:bf16:nhwc;y=256x64x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00021730051096528763 0
row relu()x=256x64x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.926995977759361e-06 0
row relu()x=256x64x14x14:bf16:nchw;y=256x64x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 3.2149907201528174e-06 0
row relu()x=256x64x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 2.9005026444792642e-06 0
row relu()x=256x64x14x14:bf16:nhwc;y=256x64x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 3.1564896926283744e-06 0
row relu()x=256x64x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.1023005470633538e-05 0
row relu()x=256x64x28x28:bf16:nchw;y=256x64x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.0862996801733984e-05 0
row relu()x=256x64x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 1.1124498210847398e-05 0
row relu()x=256x64x28x28:bf16:nhwc;y=256x64x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 1.0996497236192245e-05 0
row relu()x=256x64x56x56:bf16:nchw;y=256x64x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 7.1759006008505788e-05 0
row relu()x=256x64x56x56:bf16:nhwc;y=256x64x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 7.1828491054475298e-05 0
row relu()x=256x96x14x14:bf16:nchw;y=256x96x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 5.8389957994222409e-06 0
row relu()x=256x96x14x14:bf16:nhwc;y=256x96x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 5.876502953469748e-06 0
row relu()x=256x96x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 2.6702990755438776e-05 0
row relu()x=256x96x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 1.7070999369025205e-05 0
row relu()x=256x96x28x28:bf16:nchw;y=256x96x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.7422994598746319e-05 0
row relu()x=256x96x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 2.8372502885758879e-05 0
row relu()x=256x96x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 1.7108506523072712e-05 0
row relu()x=256x96x28x28:bf16:nhwc;y=256x96x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 1.7492479644715778e-05 0
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 256 7.1829911321401561e-06 6144
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 256 1.5830006450414458e-06 0
end 1769
